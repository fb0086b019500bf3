// Simulated exchanges on one socket: the public tickers of Kraken and of Bitstamp, each below its
// own path.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'

type Exchange = 'kraken' | 'bitstamp'
type Fault = 'none' | 'silent' | 'error' | 'garbage' | 'redirect' | 'huge'
type Ticker = { price: string; fault: Fault; age_s: number }

type SimulatedExchanges = {
  /** The root URLs of the two APIs. */
  kraken_url: string
  bitstamp_url: string
  requests: number
  /** Prices by pair, such as ETHUSD, on one exchange or on both. */
  set: (pair: string, change: Partial<Ticker>, exchange?: Exchange) => void
  close: () => Promise<void>
}

type Answer = { status: number; body: string }

/**
 * Starts them on 127.0.0.1. A pair without a price is unknown there, as it is at the real
 * exchanges.
 */
export async function startSimulatedExchanges(
  prices: Readonly<Record<string, string>>,
): Promise<SimulatedExchanges> {
  const tickers: Record<Exchange, Map<string, Ticker>> = { kraken: new Map(), bitstamp: new Map() }
  const server = createServer((request, response) => {
    exchanges.requests += 1
    const url = new URL(request.url ?? '/', 'http://exchange')
    const exchange = url.pathname.startsWith('/kraken/') ? 'kraken' : 'bitstamp'
    const pair = exchange === 'kraken' ? url.searchParams.get('pair') : url.pathname.split('/')[5]
    const ticker = tickers[exchange].get((pair ?? '').toUpperCase())
    if (ticker && ticker.fault !== 'none') return fail(response, ticker.fault)
    const { status, body } = exchange === 'kraken' ? kraken(pair, ticker) : bitstamp(ticker)
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('The server listens on no port')
  const exchanges: SimulatedExchanges = {
    kraken_url: `http://127.0.0.1:${address.port}/kraken`,
    bitstamp_url: `http://127.0.0.1:${address.port}/bitstamp`,
    requests: 0,
    set(pair, change, exchange) {
      for (const name of exchange ? [exchange] : (['kraken', 'bitstamp'] as const)) {
        const ticker = tickers[name].get(pair) ?? { price: '1', fault: 'none', age_s: 0 }
        tickers[name].set(pair, { ...ticker, ...change })
      }
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  for (const [pair, price] of Object.entries(prices)) exchanges.set(pair, { price })
  return exchanges
}

function kraken(pair: string | null | undefined, ticker: Ticker | undefined): Answer {
  const body = ticker
    ? {
        error: [],
        result: {
          [`X${pair}`]: { a: [ticker.price, '1', '1.000'], b: [ticker.price, '2', '2.000'] },
        },
      }
    : { error: ['EQuery:Unknown asset pair'] }
  return { status: 200, body: JSON.stringify(body) }
}

function bitstamp(ticker: Ticker | undefined): Answer {
  if (!ticker) return { status: 404, body: JSON.stringify({ code: 404, message: 'Not found' }) }
  const timestamp = String(Math.floor(Date.now() / 1000) - ticker.age_s)
  const { price } = ticker
  return { status: 200, body: JSON.stringify({ timestamp, bid: price, ask: price, last: price }) }
}

function fail(response: ServerResponse, fault: Fault): void {
  if (fault === 'error') response.writeHead(500).end('{}')
  if (fault === 'garbage') response.writeHead(200).end('{"error":[],"result":{"X":{"a":["NaN"]}}}')
  if (fault === 'redirect') response.writeHead(302, { location: '/' }).end()
  if (fault === 'huge') response.writeHead(200).end(`["${'x'.repeat(2_000_000)}"]`)
}
