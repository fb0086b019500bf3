// Exchange rates of two public exchanges, Kraken and Bitstamp: their mean, if they agree. One alone
// may be wrong, stale or manipulated, so it never decides a price.
import Type from 'typebox'
import type { Clock } from '../../kit/clock.ts'
import { boundedFetch } from '../../kit/net/bounded-fetch.ts'
import { compile } from '../../kit/schema.ts'
import { type Price, type Rates, RatesUnavailable } from './port.ts'

type RatesOptions = {
  clock: Clock
  /** The root URLs of their APIs. */
  kraken_url?: string
  bitstamp_url?: string
  /** The greatest age of a price that is used. */
  max_age_ms?: number
  /** An older price is read again. */
  refresh_ms?: number
  /** By how many basis points the two may differ. */
  most_deviation?: bigint
  timeout_ms?: number
}

type Decimal = { digits: bigint; scale: number }
type Reading = Required<RatesOptions> & { get: (url: string) => Promise<unknown> }

const ticker = Type.Object({
  a: Type.Array(Type.String(), { minItems: 1 }),
  b: Type.Array(Type.String(), { minItems: 1 }),
})
const krakenAnswer = compile(
  Type.Object({
    error: Type.Array(Type.String(), { maxItems: 0 }),
    result: Type.Record(Type.String(), ticker, { minProperties: 1, maxProperties: 1 }),
  }),
)
const bitstampAnswer = compile(
  Type.Object({
    bid: Type.String(),
    ask: Type.String(),
    timestamp: Type.String({ pattern: '^[0-9]{9,11}$' }),
  }),
)

/** Sends nothing before the first price is needed. */
export function openPublicRates(options: RatesOptions): Rates {
  const { timeout_ms = 5_000 } = options
  const reading: Reading = {
    kraken_url: 'https://api.kraken.com',
    bitstamp_url: 'https://www.bitstamp.net',
    max_age_ms: 300_000,
    refresh_ms: 30_000,
    most_deviation: 50n,
    timeout_ms,
    ...options,
    get: async (url) => {
      const signal = AbortSignal.timeout(timeout_ms)
      const response = await boundedFetch(url, { method: 'GET', headers: {}, signal })
      if (response.status !== 200) throw new Error(`status ${response.status}`)
      return response.json()
    },
  }
  const last = new Map<string, Price>()
  const running = new Map<string, Promise<Price>>()

  async function refreshed(pair: string): Promise<Price> {
    const reads = running.get(pair) ?? readBoth(reading, pair).finally(() => running.delete(pair))
    running.set(pair, reads)
    const price = await reads
    last.set(pair, price)
    return price
  }

  async function ofPair(pair: string): Promise<Price> {
    const known = last.get(pair)
    const age = (price: Price) => options.clock.now().getTime() - price.at.getTime()
    if (known && age(known) < reading.refresh_ms) return known
    return refreshed(pair).catch((error) => {
      // They may agree again in a moment; until then a recent price is used.
      if (known && age(known) < reading.max_age_ms && !(error instanceof Deviation)) return known
      throw error
    })
  }

  return {
    async price(coin, currency) {
      if (coin === currency) return { digits: 1n, scale: 0, at: options.clock.now() }
      const isInverse = coin === 'USD' && currency === 'EUR'
      return isInverse ? inverse(await ofPair('EURUSD')) : ofPair(`${coin}${currency}`)
    },
  }
}

/** The two differ too much, so an older price is no better. */
class Deviation extends RatesUnavailable {}

async function readBoth(reading: Reading, pair: string): Promise<Price> {
  const [kraken, bitstamp] = await Promise.all([
    requirePrice('Kraken', pair, () => readKraken(reading, pair)),
    requirePrice('Bitstamp', pair, () => readBitstamp(reading, pair)),
  ])
  const now = reading.clock.now()
  if (Math.abs(now.getTime() - bitstamp.at.getTime()) > reading.max_age_ms)
    throw new RatesUnavailable(`${pair}: Bitstamp's price is of ${bitstamp.at.toISOString()}`)
  const scale = Math.max(kraken.scale, bitstamp.scale)
  const [a, b] = [digitsAt(kraken, scale), digitsAt(bitstamp, scale)]
  const [low, high] = a < b ? [a, b] : [b, a]
  if ((high - low) * 10_000n > low * reading.most_deviation)
    throw new Deviation(`${pair}: the prices of Kraken and Bitstamp deviate`)
  const { at } = bitstamp.at < now ? bitstamp : { at: now }
  return { digits: (a + b) * 5n, scale: scale + 1, at }
}

async function requirePrice<T>(name: string, pair: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw new RatesUnavailable(`${pair}: ${name} shows no usable price`, { cause: error })
  }
}

async function readKraken({ kraken_url, get }: Reading, pair: string): Promise<Decimal> {
  const { result } = krakenAnswer.parse(await get(`${kraken_url}/0/public/Ticker?pair=${pair}`))
  const [prices] = Object.values(result)
  return middle(prices?.b[0] ?? '', prices?.a[0] ?? '')
}

async function readBitstamp({ bitstamp_url, get }: Reading, pair: string) {
  const path = `/api/v2/ticker/${pair.toLowerCase()}/`
  const { bid, ask, timestamp } = bitstampAnswer.parse(await get(`${bitstamp_url}${path}`))
  return { ...middle(bid, ask), at: new Date(Number(timestamp) * 1000) }
}

function middle(bid: string, ask: string): Decimal {
  const [low, high] = [decimalOf(bid), decimalOf(ask)]
  const scale = Math.max(low.scale, high.scale)
  const [a, b] = [digitsAt(low, scale), digitsAt(high, scale)]
  if (a > b) throw new RangeError('the bid is above the ask')
  return { digits: (a + b) * 5n, scale: scale + 1 }
}

function decimalOf(text: string): Decimal {
  const [, whole = '', fraction = ''] = /^([0-9]{1,12})(?:\.([0-9]{1,12}))?$/.exec(text) ?? []
  const digits = BigInt(whole + fraction)
  if (digits === 0n) throw new RangeError('the price is zero')
  return { digits, scale: fraction.length }
}

function digitsAt({ digits, scale }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale)
}

/** The result has twelve decimals. */
function inverse({ digits, scale, at }: Price): Price {
  return { digits: 10n ** BigInt(12 + scale) / digits, scale: 12, at }
}
