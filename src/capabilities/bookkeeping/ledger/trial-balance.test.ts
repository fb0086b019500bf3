// The trial balance agrees with the ledger's evidence, and finds rows that were changed past it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { startService, type TestService } from '../../../../test/support/service.ts'

type Account = Record<'code' | 'currency' | 'debits' | 'credits' | 'balance' | 'pending', string>

const registrar = await startService({ worker: false })
const operator = registrar.operatorKey
const read = (query = '') =>
  registrar.request('GET', `/v1/internal/ledger/trial-balance${query}`, { token: operator })
const owner = new pg.Client({ connectionString: registrar.service.settings.database_url ?? '' })
await owner.connect()
registrar.closers.push(() => owner.end())

const buyer = await everythingOnce(registrar)

/** Each kind of transfer in both currencies: a debt, its collection, a hold, a refund. */
async function everythingOnce({ request }: TestService) {
  const customer = await registrar.customer({ funds_cents: 0 })
  const post = async (path: string, body: object, token = operator) => {
    const done = await request('POST', path, { token, body })
    assert.ok(done.status < 300, `${path}: ${done.text}`)
    return done.body
  }
  for (const currency of ['USD', 'EUR']) {
    const session = `cs-${currency}-${customer.id}`
    const paying = { customer_id: customer.id, currency }
    const top_ups = '/v1/internal/billing/processor/top-ups'
    const pay = (id: string, amount_cents: number) =>
      post(top_ups, { ...paying, amount_cents, processor_checkout_session_id: id })
    await pay(session, 5_000)
    const domain = `trial-${currency.toLowerCase()}.com`
    const bought = await post('/v1/domains', { domain, currency }, customer.key)
    const reason = 'Corrected'
    const refund = { operation_id: bought.operation.id, amount_cents: 100, reason }
    await post('/v1/internal/billing/order-refunds', { ...refund, refund_id: `r-${currency}` })
    const adjusting = { ...paying, amount_cents: -1_000, reason }
    const adjustments = '/v1/internal/billing/adjustments'
    await post(adjustments, { ...adjusting, adjustment_id: `a-${currency}` })
  }
  for (const currency of ['USD', 'EUR'])
    await post('/v1/internal/billing/reversals', {
      ...{ payment_id: `processor/cs-${currency}-${customer.id}`, kind: 'dispute' },
      ...{ amount_cents: 5_000, reversal_id: `d-${currency}`, reason: 'Disputed' },
    })
  // Both debts are paid, and a little more, of which an order without an answer holds a part.
  for (const currency of ['USD', 'EUR'])
    await post('/v1/internal/billing/processor/top-ups', {
      customer_id: customer.id,
      ...{ currency, amount_cents: 9_000, processor_checkout_session_id: `later-${currency}` },
    })
  registrar.sandbox.setFault({
    ...{ name: 'drop_before', command: 'domain:create', domain: 'trial-held.com' },
  })
  await post('/v1/domains', { domain: 'trial-held.com' }, customer.key)
  return customer
}

describe('the trial balance', () => {
  test('has each account with debits that are credits in each currency', async () => {
    const { status, body, text } = await read()
    assert.equal(status, 200, text)
    assert.equal(body.sound, true, text)
    for (const one of body.currencies) {
      assert.deepEqual([one.balanced, one.debits, one.pending], [true, one.credits, '0.00'])
      assert.notEqual(one.debits, '0.00')
    }
    const of = (code: string): Account =>
      body.accounts.find((one: Account) => one.code === code && one.currency === 'USD')
    const codes = new Set(body.accounts.map((one: Account) => one.code))
    assert.deepEqual(
      [...codes].sort(),
      ['adjustments', 'customer', 'gateway', 'processor', 'receivable', 'sales'].sort(),
    )
    assert.deepEqual([of('processor').debits, of('processor').credits], ['140.00', '50.00'])
    assert.equal(of('receivable').balance, '0.00')
    assert.notEqual(of('receivable').debits, '0.00')
    assert.equal(of('adjustments').balance, '-10.00')
    const path = `/v1/customers/${buyer.id}/billing/balance`
    const { body: balance } = await registrar.request('GET', path, { token: operator })
    assert.equal(of('customer').balance, `-${balance.total}`)
    assert.equal(of('customer').pending, balance.held)
    assert.notEqual(balance.held, '0.00')
  })

  test('of an earlier moment has the transfers before it alone', async () => {
    const { body } = await read('?at=2001-01-01T00:00:00Z')
    assert.deepEqual([body.complete, body.sound, body.comparison], [true, true, null])
    assert.ok(body.accounts.every((one: Account) => one.debits === '0.00'))
    const { body: now } = await read('?at=2999-01-01T00:00:00Z')
    assert.equal(now.complete, false)
    assert.deepEqual(now.accounts, (await read()).body.accounts)
  })

  test('names the accounts that were changed past the ledger', async () => {
    const differences = async () => {
      const { body } = await read()
      assert.equal(body.sound, false)
      assert.equal(body.comparison.differing, body.comparison.differences.length)
      return body.comparison.differences
    }
    const tampered = async (sql: string, look: () => Promise<void>) => {
      await owner.query('begin; set local session_replication_role = replica')
      await owner.query(sql)
      await owner.query('commit')
      await look()
    }
    const of = `where customer_id = '${buyer.id}' and currency = 'EUR'`
    await tampered(`update ledger_accounts set available = available + 7 ${of}`, async () => {
      const [{ transfers, recorded, ...place }] = await differences()
      const expected = { account: 'customer', customer_id: buyer.id, currency: 'EUR' }
      assert.deepEqual(place, { ...expected, field: 'available' })
      assert.equal((Number(recorded) - Number(transfers)).toFixed(2), '0.07')
      assert.ok(registrar.logs.some((line) => line.includes('"alarm":"ledger_differs"')))
    })
    await owner.query(`update ledger_accounts set available = available - 7 ${of}`)
    const credit = `where customer_id = '${buyer.id}' and code = 'top_up' and amount = 5000
                      and currency = 'EUR'`
    await tampered(`update ledger_transfers set amount = amount + 1 ${credit}`, async () => {
      const found = await differences()
      const fields = found.map((one: Record<string, string>) => `${one.account} ${one.field}`)
      assert.deepEqual(fields, ['processor balance', 'customer available'])
    })
    await tampered(
      `update ledger_transfers set amount = 5000 ${credit.replace('5000', '5001')}`,
      async () => {
        assert.equal((await read()).body.sound, true)
      },
    )
  })
})
