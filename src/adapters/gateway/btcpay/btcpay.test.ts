// The BTCPay adapter against the simulated BTCPay Server: opening, observing, and answers that
// cannot be right.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, afterEach, describe, it } from 'node:test'
import { startGateway } from '../../../../sandbox/gateway/index.ts'
import { Clock } from '../../../../sandbox/support/sandbox-clock.ts'
import { type Destination, GatewayUnavailable, type PaymentRequest } from '../port.ts'
import { type BtcpayProfile, openBtcpay } from './btcpay.ts'

const server = await startGateway({
  clock: new Clock(Date.now, null),
  file: null,
  redelivery_ms: [],
  report: (error) => assert.fail(String(error)),
})
after(() => server.close())
afterEach(() => {
  server.clearFaults()
  server.settings.invoice_routes = 'invoices'
})

const usdc = {
  id: 'USDC-BASE',
  asset: 'USDC',
  network: 'base',
  decimals: 6,
  pegged_to: 'USD',
} as const
const btc = { id: 'BTC-CHAIN', asset: 'BTC', network: 'bitcoin', decimals: 8, pegged_to: null }
const eth = { id: 'ETH-BASE', asset: 'ETH', network: 'base', decimals: 18, pegged_to: null }

function open(own: Partial<BtcpayProfile> = {}, timeout_ms = 2_000) {
  const profile: BtcpayProfile = {
    url: server.base_url,
    store_id: server.store_id,
    api_key: server.api_key,
    invoice_routes: 'invoices',
    webhook_secret: 'whsec',
    methods: [usdc, btc, eth],
    ...own,
  }
  return openBtcpay(profile, { now: () => new Date(), timeout_ms })
}
const gateway = open()

let count = 0
function request(own: Partial<PaymentRequest> = {}): PaymentRequest {
  count += 1
  return {
    checkout_id: `chk_${count}`,
    asset: 'USDC',
    network: 'base',
    currency: 'USD',
    amount_cents: 2_500n,
    expires_at: new Date(Date.now() + 900_000),
    ...own,
  }
}

async function observe(destination: Destination) {
  const { payments } = await gateway.observe({ ...nothing, destinations: [destination] })
  return payments.map(asKnown)
}
const nothing = { known: [], cursor: null }
const asKnown = <T>(payment: T) => ({ ...payment, is_credited: false })

/** Fails with GatewayUnavailable, whose chain of causes never contains the key. */
async function unavailable(call: Promise<unknown>): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof GatewayUnavailable, String(error))
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
      assert.ok(!`${cause.message}${cause.stack}`.includes(server.api_key))
    return true
  })
}

describe('opening a checkout', () => {
  it('quotes a stablecoin at its peg and other coins at the rate, rounded up', async () => {
    const stable = await gateway.open(request())
    assert.deepEqual([stable.pay_amount, stable.quote.cents], [25_000_000n, 2_500n])
    const [invoice] = server.invoices().filter(({ id }) => id === stable.reference)
    assert.equal(invoice?.metadata.orderId, `chk_${count}`)
    assert.ok(stable.payment_uri.startsWith('ethereum:') && stable.payment_uri.includes('25000000'))
    assert.equal(stable.page_url, `${server.base_url}/i/${stable.reference}`)
    const coin = await gateway.open(request({ asset: 'BTC', network: 'bitcoin' }))
    // 25.00 at 65123.45 is 0.000383886...
    assert.equal(coin.pay_amount, 38_389n)
    const fine = await gateway.open(request({ asset: 'ETH', amount_cents: 1n, currency: 'EUR' }))
    assert.equal(fine.pay_amount, (10n ** 20n + 23_110_399n) / 23_110_400n)
  })

  it('opens one invoice for a checkout, however often it is asked, wherever it fails', async () => {
    const again = request()
    for (const name of ['lost_500', 'drop_after', 'half_answer'] as const) {
      server.setFault({ name, command: 'invoice:create' })
      await gateway.open(again).catch((error) => assert.ok(error instanceof GatewayUnavailable))
      server.clearFaults()
    }
    const [first, second] = [await gateway.open(again), await gateway.open(again)]
    assert.deepEqual({ ...first, quote: null }, { ...second, quote: null })
    const own = server.invoices().filter(({ metadata }) => metadata.orderId === again.checkout_id)
    assert.equal(own.length, 1)
  })

  it('two nodes that open a checkout at once take the same invoice', async () => {
    const both = request()
    const [a, b] = await Promise.all([gateway.open(both), open().open(both)])
    assert.equal((await gateway.open(both)).reference, a?.reference)
    assert.equal(a?.reference, b?.reference)
  })

  it('refuses a known invoice of the same checkout with another amount', async () => {
    const first = request()
    await gateway.open(first)
    await unavailable(gateway.open({ ...first, amount_cents: 2_501n }))
  })

  it('lists the assets that settings and store both have', async () => {
    const other = { ...btc, id: 'LTC-CHAIN', asset: 'LTC' }
    const assets = await open({ methods: [usdc, other] }).assets()
    assert.deepEqual(
      assets.map(({ asset, required_confirmations }) => [asset, required_confirmations]),
      [['USDC', 2]],
    )
  })
})

describe('observing', () => {
  it('sees each payment, confirmed or dropped, under its own id', async () => {
    const destination = await gateway.open(request())
    assert.deepEqual(await observe(destination), [])
    const half = server.pay(destination.reference, 'USDC-BASE', 12_500_000n)
    const rest = server.pay(destination.reference, 'USDC-BASE', 12_500_001n)
    server.confirm(half.id)
    server.drop(rest.id)
    const other = server.pay(destination.reference, 'USDC-BASE', 1n)
    const seen = await observe(destination)
    assert.deepEqual(
      seen.map(({ id, amount, state, confirmations }) => [id, amount, state, confirmations]),
      [
        [`btcpay/${server.store_id}/${half.id}`, 12_500_000n, 'confirmed', 2],
        [`btcpay/${server.store_id}/${rest.id}`, 12_500_001n, 'orphaned', 0],
        [`btcpay/${server.store_id}/${other.id}`, 1n, 'seen', 0],
      ],
    )
    assert.deepEqual(new Set(seen.map(({ value }) => value)), new Set([null]))
    assert.match(seen[0]?.transaction_id ?? '', /^[0-9a-f]{64}$/)
  })

  it('sees a payment after the expiry, and names the asset of each', async () => {
    const destination = await gateway.open(request({ asset: 'ETH' }))
    server.expire(destination.reference)
    server.pay(destination.reference, 'ETH-BASE', 1n)
    const [late] = await observe(destination)
    assert.deepEqual([late?.amount, late?.asset, late?.network], [1n, 'ETH', 'base'])
  })

  it('reads a known payment again, also without its destination', async () => {
    const destination = await gateway.open(request())
    server.pay(destination.reference, 'USDC-BASE', 5n)
    const known = await observe(destination)
    const again = { destinations: [], known, cursor: null }
    const { payments } = await gateway.observe(again)
    assert.deepEqual(payments.map(asKnown), known)
    server.setFault({ name: 'no_payments' })
    await unavailable(gateway.observe(again))
    const raised = known.map((payment) => ({ ...payment, amount: 6n }))
    await unavailable(gateway.observe({ ...again, known: raised }))
  })

  it('reads invoices below their store, where settings say so', async () => {
    const destination = await gateway.open(request())
    server.settings.invoice_routes = 'stores'
    await unavailable(observe(destination))
    const input = { ...nothing, destinations: [destination] }
    const observed = await open({ invoice_routes: 'stores' }).observe(input)
    assert.deepEqual(observed, { payments: [], cursor: null })
  })

  it('reads many invoices in one call', async () => {
    const destinations: Destination[] = []
    for (let i = 1; i <= 20; i += 1) {
      const destination = await gateway.open(request())
      server.pay(destination.reference, 'USDC-BASE', BigInt(i))
      destinations.push(destination)
    }
    const { payments } = await gateway.observe({ destinations, known: [], cursor: null })
    assert.deepEqual(
      payments.map(({ reference, amount }) => [reference, amount]),
      destinations.map(({ reference }, i) => [reference, BigInt(i + 1)]),
    )
  })
})

describe('answers that cannot be right', () => {
  const faults = [
    'fail_500',
    'drop_after',
    'half_answer',
    'garbage',
    'huge',
    'redirect',
    'too_many_decimals',
    'negative_amount',
    'other_currency',
    'other_destination',
    'payment_twice',
  ] as const
  for (const name of faults)
    it(`${name}: nothing is known`, async () => {
      const destination = await gateway.open(request())
      server.pay(destination.reference, 'USDC-BASE', 25_000_000n)
      server.setFault({ name })
      await unavailable(observe(destination))
      assert.equal(server.followed(), 0)
      assert.equal((await observe(destination)).length, 1)
    })

  it('an amount that was ten times greater before or after is not believed', async () => {
    const destination = await gateway.open(request())
    server.pay(destination.reference, 'USDC-BASE', 25_000_000n)
    const known = await observe(destination)
    server.setFault({ name: 'wrong_amount' })
    await unavailable(gateway.observe({ destinations: [destination], known, cursor: null }))
    for (const command of ['invoice:create', 'methods:read']) {
      server.setFault({ name: 'wrong_amount', command })
      await unavailable(gateway.open(request()))
    }
    server.setFault({ name: 'other_currency', command: 'invoice:list' })
    const opened = request()
    await gateway.open(opened).catch(() => assert.fail('there was none to be listed'))
    server.setFault({ name: 'other_currency', command: 'invoice:list' })
    await unavailable(gateway.open(opened))
  })

  it('silence and slowness end in time, and a refused key is no answer', async () => {
    const destination = await gateway.open(request())
    const input = { destinations: [destination], known: [], cursor: null }
    server.setFault({ name: 'silent', command: 'methods:read' })
    server.setFault({ name: 'slow', delay_ms: 1_000, command: 'methods:read' })
    await unavailable(open({}, 50).observe(input))
    await unavailable(open({}, 50).observe(input))
    await unavailable(open({ api_key: 'another' }).observe(input))
    await unavailable(open({ store_id: 'another' }).assets())
    await unavailable(open({ url: 'http://127.0.0.1:1' }).assets())
  })

  it('health is that of the last answer, in words without ids', async () => {
    const own = open()
    assert.deepEqual(own.health(), { state: 'idle', trouble: null })
    await own.assets()
    assert.deepEqual(own.health(), { state: 'up', trouble: null })
    for (const [place, trouble] of [
      [{ api_key: 'another' }, 'answered 401'],
      [{ url: 'http://127.0.0.1:1' }, 'does not respond'],
    ] as const) {
      const other = open(place)
      await unavailable(other.assets())
      assert.deepEqual(other.health(), { state: 'down', trouble })
    }
  })
})

describe('quotes', () => {
  it('are exact fractions, of a stablecoin at its peg', async () => {
    const of = async (asset: string, network: string, currency: 'USD' | 'EUR') => {
      const { units, cents } = await gateway.quote({ asset, network }, currency)
      return [units, cents]
    }
    assert.deepEqual(await of('USDC', 'base', 'USD'), [1_000_000n, 100n])
    assert.deepEqual(await of('USDC', 'base', 'EUR'), [100_000_000n, 9_200n])
    assert.deepEqual(await of('BTC', 'bitcoin', 'USD'), [10_000_000_000n, 651_234_500n])
    await unavailable(gateway.quote({ asset: 'XMR', network: 'monero' }, 'USD'))
  })
})

describe('webhooks', () => {
  const event = (storeId: string) => Buffer.from(JSON.stringify({ storeId, invoiceId: 'inv_1' }))
  const sign = (body: Buffer, secret = 'whsec') =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

  it('names the invoice of an event that was signed with the secret', () => {
    const body = event(server.store_id)
    assert.deepEqual(gateway.verifyWebhook?.(body, sign(body)), { reference: 'inv_1' })
  })

  it('refuses another signature, secret, store or body', () => {
    const body = event(server.store_id)
    const wrong = ['', 'sha256=', sign(body, 'other'), sign(body).toUpperCase(), `${sign(body)} `]
    for (const signature of wrong) assert.equal(gateway.verifyWebhook?.(body, signature), null)
    const elsewhere = event('another')
    assert.equal(gateway.verifyWebhook?.(elsewhere, sign(elsewhere)), null)
    const garbage = Buffer.from('no JSON')
    assert.equal(gateway.verifyWebhook?.(garbage, sign(garbage)), null)
    assert.equal(gateway.verifyWebhook?.(Buffer.concat([body, body]), sign(body)), null)
    assert.equal(open({ webhook_secret: null }).verifyWebhook?.(body, sign(body, '')), null)
  })
})
