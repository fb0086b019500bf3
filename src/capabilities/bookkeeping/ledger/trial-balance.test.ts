// The trial balance agrees with the ledger's evidence, and detects rows that were changed directly.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { sharedService, type TestService } from '../../../../test/support/service.ts'

type Account = Record<'code' | 'currency' | 'debits' | 'credits' | 'balance' | 'pending', string>

const registrar = await sharedService({ worker: false })
const operator = registrar.operatorKey
const read = (query = '') =>
  registrar.request('GET', `/v1/internal/ledger/trial-balance${query}`, { token: operator })
const owner = new pg.Client({ connectionString: registrar.service.settings.database_url ?? '' })
await owner.connect()
registrar.closers.push(() => owner.end())

const { body: before } = await read()
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
    const name = `${currency}-${customer.id}`
    const session = `cs-${name}`
    const paying = { customer_id: customer.id, currency }
    const top_ups = '/v1/internal/billing/processor/top-ups'
    const pay = (id: string, amount_cents: number) =>
      post(top_ups, { ...paying, amount_cents, processor_checkout_session_id: id })
    await pay(session, 5_000)
    const domain = `trial-${currency.toLowerCase()}-${customer.key_id}.com`
    const bought = await post('/v1/domains', { domain, currency }, customer.key)
    const reason = 'Corrected'
    const refund = { operation_id: bought.operation.id, amount_cents: 100, reason }
    await post('/v1/internal/billing/order-refunds', { ...refund, refund_id: `r-${name}` })
    const adjusting = { ...paying, amount_cents: -1_000, reason }
    const adjustments = '/v1/internal/billing/adjustments'
    await post(adjustments, { ...adjusting, adjustment_id: `a-${name}` })
  }
  for (const currency of ['USD', 'EUR'])
    await post('/v1/internal/billing/reversals', {
      ...{ payment_id: `processor/cs-${currency}-${customer.id}`, kind: 'dispute' },
      ...{ amount_cents: 5_000, reversal_id: `d-${currency}-${customer.id}`, reason: 'Disputed' },
    })
  // Both debts are paid, and a little more, of which an order without an answer holds a part.
  for (const currency of ['USD', 'EUR'])
    await post('/v1/internal/billing/processor/top-ups', {
      customer_id: customer.id,
      ...{
        currency,
        amount_cents: 9_000,
        processor_checkout_session_id: `later-${currency}-${customer.id}`,
      },
    })
  const domain = `trial-held-${customer.key_id}.com`
  registrar.sandbox.setFault({ name: 'drop_before', command: 'domain:create', domain })
  await post('/v1/domains', { domain }, customer.key)
  return customer
}

const cents = (text: string) => BigInt(text.replace('.', ''))

/** The change of an account by the transfers of this file. */
function changeOf(after: Account[], code: string) {
  const of = (all: Account[]) =>
    all.find((one) => one.code === code && one.currency === 'USD') ?? assert.fail(code)
  const [now, then] = [of(after), of(before.accounts)]
  const change = (figure: 'debits' | 'credits' | 'balance' | 'pending') =>
    Number(cents(now[figure]) - cents(then[figure]))
  return {
    debits: change('debits'),
    credits: change('credits'),
    balance: change('balance'),
    pending: change('pending'),
  }
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
    const codes = new Set(body.accounts.map((one: Account) => one.code))
    for (const code of ['adjustments', 'customer', 'gateway', 'processor', 'receivable', 'sales'])
      assert.ok(codes.has(code), code)
    const { debits, credits } = changeOf(body.accounts, 'processor')
    assert.deepEqual([debits, credits], [14_000, 5_000])
    const receivable = changeOf(body.accounts, 'receivable')
    assert.ok(receivable.debits > 0 && receivable.balance === 0)
    assert.equal(changeOf(body.accounts, 'adjustments').balance, -1_000)
    const path = `/v1/customers/${buyer.id}/billing/balance`
    const { body: balance } = await registrar.request('GET', path, { token: operator })
    const customers = changeOf(body.accounts, 'customer')
    assert.equal(customers.balance, -Number(cents(balance.total)))
    assert.equal(customers.pending, Number(cents(balance.held)))
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
})

test('the trial balance names the accounts that were changed without a transfer', async () => {
  const change = async (sql: string) => {
    await owner.query('begin; set local session_replication_role = replica')
    await owner.query(sql)
    await owner.query('commit')
  }
  const tampered = async (sql: { done: string; undone: string }) => {
    await change(sql.done)
    const { body } = await read()
    await change(sql.undone)
    assert.equal(body.sound, false)
    assert.equal(body.comparison.differing, body.comparison.differences.length)
    return body.comparison.differences
  }
  const account = `ledger_accounts set available = available`
  const of = `where customer_id = '${buyer.id}' and currency = 'EUR'`
  const balance = await tampered({
    done: `update ${account} + 7 ${of}`,
    undone: `update ${account} - 7 ${of}`,
  })
  const [{ transfers, recorded, ...place }, ...others] = balance
  assert.deepEqual(others, [])
  const expected = { account: 'customer', customer_id: buyer.id, currency: 'EUR' }
  assert.deepEqual(place, { ...expected, field: 'available' })
  assert.equal(cents(recorded) - cents(transfers), 7n)
  assert.ok(registrar.logs.some((line) => line.includes('"alarm":"ledger_differs"')))
  const credits = `${of} and code = 'top_up'`
  const found = await tampered({
    done: `update ledger_transfers set amount = amount + 1 ${credits}`,
    undone: `update ledger_transfers set amount = amount - 1 ${credits}`,
  })
  const fields = found.map((one: Record<string, string>) => `${one.account} ${one.field}`)
  assert.deepEqual(fields, ['processor balance', 'customer available'])
  assert.equal((await read()).body.sound, true)
})
