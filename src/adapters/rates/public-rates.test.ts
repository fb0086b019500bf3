// Rates of two exchanges, on real sockets.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startSimulatedExchanges } from '../../../sandbox/rates/index.ts'
import { RatesUnavailable } from './port.ts'
import { openPublicRates } from './public-rates.ts'

async function open(limits: { timeout_ms?: number } = {}) {
  const exchanges = await startSimulatedExchanges({ ETHUSD: '2500.00', EURUSD: '1.25' })
  after(() => exchanges.close())
  const { kraken_url, bitstamp_url } = exchanges
  const time = { now_ms: Date.now() }
  const clock = { now: () => new Date(time.now_ms) }
  const rates = openPublicRates({ clock, kraken_url, bitstamp_url, ...limits })
  return { exchanges, rates, time }
}

const isUnavailable = (error: unknown) => error instanceof RatesUnavailable

describe('a price', () => {
  it('is the exact mean of both exchanges', async () => {
    const { exchanges, rates } = await open()
    exchanges.set('ETHUSD', { price: '2500.01' }, 'kraken')
    const { digits, scale } = await rates.price('ETH', 'USD')
    assert.equal(digits * 1000n, 2500_005n * 10n ** BigInt(scale))
    const euros = await rates.price('USD', 'EUR')
    assert.equal(euros.digits * 10n, 8n * 10n ** BigInt(euros.scale))
  })

  it('is read once for concurrent and soon following questions', async () => {
    const { exchanges, rates, time } = await open()
    await Promise.all([1, 2, 3].map(() => rates.price('ETH', 'USD')))
    await rates.price('ETH', 'USD')
    assert.equal(exchanges.requests, 2)
    time.now_ms += 31_000
    await rates.price('ETH', 'USD')
    assert.equal(exchanges.requests, 4)
  })

  it('is unavailable where the exchanges deviate, even when one was known', async () => {
    const { exchanges, rates, time } = await open()
    await rates.price('ETH', 'USD')
    exchanges.set('ETHUSD', { price: '2513.00' }, 'kraken')
    time.now_ms += 31_000
    await assert.rejects(rates.price('ETH', 'USD'), isUnavailable)
  })

  it('is unavailable where one exchange does not know the coin, or shows an old price', async () => {
    const { exchanges, rates } = await open()
    await assert.rejects(rates.price('XYZ', 'USD'), isUnavailable)
    exchanges.set('ETHUSD', { age_s: 400 }, 'bitstamp')
    await assert.rejects(rates.price('ETH', 'USD'), isUnavailable)
  })

  for (const fault of ['silent', 'error', 'garbage', 'redirect', 'huge'] as const)
    it(`is kept until its age limit while an exchange fails (${fault})`, async () => {
      // The time is short if it is waited for, and long enough for the answers before.
      const { exchanges, rates, time } = await open(fault === 'silent' ? { timeout_ms: 1_000 } : {})
      const price = await rates.price('ETH', 'USD')
      exchanges.set('ETHUSD', { fault }, 'kraken')
      time.now_ms += 200_000
      assert.deepEqual(await rates.price('ETH', 'USD'), price)
      time.now_ms += 101_000
      await assert.rejects(rates.price('ETH', 'USD'), isUnavailable)
    })
})
