// Late approvals: requests that the owner approves after their quote has expired, or after their
// idempotency key was used for another request.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { untilBlocked } from '../../../test/support/database.ts'
import { purgeExpiredRows } from '../../tasks/purge.job.ts'
import {
  asked,
  ended,
  holds,
  nextName,
  pair,
  query,
  registrar,
  request,
} from './approvals.fixture.ts'

/** As the service may not: in a session without triggers. */
const aging = (id: string, by: string) => `set local session_replication_role = replica;
  update quotes set created_at = created_at - interval '${by}',
                    expires_at = expires_at - interval '${by}' where id = '${id}';`
const age = (id: string, by: string) => query(`begin; ${aging(id, by)} commit`)

/** Ages by this statement while the order waits for the lock of its balance. */
async function ageAtPlacement(aged: string, customer: string, approve: () => Promise<void>) {
  const owner = new pg.Client(registrar.service.settings.database_url ?? '')
  await owner.connect()
  try {
    await owner.query('begin')
    await owner.query('select from ledger_accounts where customer_id = $1 for update', [customer])
    await approve()
    await untilBlocked(query)
    await owner.query(`${aged} commit`)
  } finally {
    await owner.end()
  }
}

describe('a request with a quote', () => {
  for (const [by, kept] of [
    ['10 minutes', 'that has expired'],
    ['2 days', 'that was purged'],
  ] as const)
    it(`${kept} is made at the approved price, and names no quote`, async () => {
      const { token, answer, person } = await pair()
      const domain = nextName()
      const made = await request(token, '/v1/quotes', { action: 'register', domain })
      assert.equal(made.status, 201, made.text)
      const { quote_id, price } = made.body
      const id = await asked(token, domain, { quote_id })
      await age(quote_id, by)
      await purgeExpiredRows.run(registrar.service.app)
      const left = await query('select id from quotes where id = $1', [quote_id])
      assert.equal(left.length, by === '2 days' ? 0 : 1)
      assert.equal((await answer(id, 'approve')).status, 200)
      const { state, error, operation } = await ended(token, id)
      assert.deepEqual([state, error], ['executed', null])
      const [order] = await query(
        'select id, amount, quote_id from orders where customer_id = $1',
        [person.id],
      )
      assert.equal(order?.id, operation.id)
      assert.equal((Number(order?.amount) / 100).toFixed(2), price.amount)
      assert.equal(order?.quote_id, null)
    })
})

describe('a quote that expires in the moment of the order', () => {
  it('leaves an approved request at the approved price', async () => {
    const { token, answer, person } = await pair()
    const domain = nextName()
    const { quote_id, price } = (await request(token, '/v1/quotes', { action: 'register', domain }))
      .body
    const id = await asked(token, domain, { quote_id })
    await ageAtPlacement(aging(quote_id, '10 minutes'), person.id, async () => {
      assert.equal((await answer(id, 'approve')).status, 200)
    })
    const { state, error } = await ended(token, id)
    assert.deepEqual([state, error], ['executed', null])
    const orders = await query('select amount, quote_id from orders where customer_id = $1', [
      person.id,
    ])
    assert.deepEqual(orders, [{ amount: price.amount.replace('.', ''), quote_id: null }])
  })
})

describe('an approval that expires in the moment of the order', () => {
  it('ends as expired, and nothing is held', async () => {
    const { token, answer, person } = await pair()
    const id = await asked(token, nextName())
    const aged = `set local session_replication_role = replica;
      update approvals set expires_at = created_at + interval '1 microsecond' where id = '${id}';`
    await ageAtPlacement(aged, person.id, async () => {
      assert.equal((await answer(id, 'approve')).status, 200)
    })
    // Its state reads as expired before the row has its end.
    const end = 'select state, error_code from approvals where id = $1 and ended_at is not null'
    let [row] = await query(end, [id])
    for (const latest = performance.now() + 20_000; !row; [row] = await query(end, [id])) {
      assert.ok(performance.now() < latest, 'it has not ended')
      await sleep(20)
    }
    assert.deepEqual(row, { state: 'expired', error_code: null })
    assert.deepEqual(await holds(person.id), [])
  })
})

describe('a request whose idempotency key', () => {
  it('was used for another request meanwhile fails, and is not retried for days', async () => {
    const { token, answer, person } = await pair({ approval_above: { amount: '11.00' } })
    const headers = { 'idempotency-key': `late-${process.pid}` }
    const [domain, cheaper] = [nextName('net'), nextName()]
    const buy = (name: string, period_years: number) =>
      registrar.request('POST', '/v1/domains', {
        token,
        headers,
        body: { domain: name, period_years },
      })
    const refused = await buy(domain, 2)
    assert.equal(refused.body.code, 'approval_required', refused.text)
    assert.equal((await buy(cheaper, 1)).status, 200)
    const { id } = refused.body.approval
    assert.equal((await answer(id, 'approve')).status, 200)
    const { state, error } = await ended(token, id)
    assert.deepEqual([state, error?.code], ['failed', 'validation_error'])
    assert.match(error.detail, /This key was used with another request/)
    assert.equal((await holds(person.id)).length, 1)
  })
})
