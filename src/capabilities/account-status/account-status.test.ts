// Suspending, resuming and closing accounts: the operations that each status allows, without the
// loss of a cent or a domain.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { parkedOrderIn } from '../../../test/support/parked-order.ts'
import { sharedMovedService, type TestCustomer } from '../../../test/support/service.ts'
import {
  cookieBrowser,
  ours,
  ownersPassword,
  recentSessionOf,
  sessionOf,
} from '../../../test/support/sign-in.ts'

const registrar = await sharedMovedService()
const { request, operatorKey } = registrar
const sql = rowsIn(registrar)
const empty = { funds_cents: 0, contact: false } as const

const change = (verb: string, id: string, body: object = { reason: 'For a test' }) =>
  request('POST', `/v1/internal/customers/${id}/${verb}`, { token: operatorKey, body })
const resume = (id: string) => change('resume', id, {})
const ask = (key: string, at: readonly [method: string, path: string], body?: object) =>
  request(...at, { token: key, ...(body && { body }) })
const mailsOf = async ({ id }: { id: string }) =>
  (
    await sql(
      `select kind from mails where customer_id = $1 and kind like 'account%' order by created_at`,
      [id],
    )
  ).map(({ kind }) => kind)

let sequence = 0
async function topUp(id: string, amount_cents: number) {
  sequence += 1
  const processor_checkout_session_id = `cs_status_${process.pid}_${sequence}`
  const body = { customer_id: id, amount_cents, currency: 'USD', processor_checkout_session_id }
  const path = '/v1/internal/billing/processor/top-ups'
  return request('POST', path, { token: operatorKey, body })
}

/** Calls from each family of operations; they are the same for every status. */
const families: readonly [method: string, path: (one: TestCustomer) => string, body?: object][] = [
  ['GET', () => '/v1/account'],
  ['GET', () => '/v1/domains'],
  ['GET', ({ id }) => `/v1/customers/${id}/contacts`],
  ['GET', ({ id }) => `/v1/customers/${id}/billing/balance`],
  ['GET', ({ id }) => `/v1/customers/${id}/audit-logs`],
  ['GET', ({ id }) => `/v1/customers/${id}/api-keys`],
  ['PATCH', () => '/v1/account', { name: 'Renamed' }],
  ['POST', () => '/v1/domains', { domain: 'family-of-routes.com', dry_run: true }],
  ['POST', ({ id }) => `/v1/customers/${id}/api-keys`, { scopes: ['domains:read'] }],
  ['POST', () => '/v1/sandbox/top-ups', { amount_cents: 100, currency: 'USD' }],
]

async function statusesOf(one: TestCustomer) {
  const reads: number[] = []
  const changes: number[] = []
  for (const [method, path, body] of families) {
    const { status } = await ask(one.key, [method, path(one)], body)
    if (method === 'GET') reads.push(status)
    else changes.push(status)
  }
  return { reads: new Set(reads), changes: new Set(changes) }
}

describe('a suspended account', () => {
  it('is read, not changed, on every family of routes, and resumed as it was', async () => {
    const one = await registrar.customer()
    const before = await statusesOf(one)
    const suspended = await change('suspend', one.id, { reason: 'Stolen card' })
    assert.deepEqual([suspended.status, suspended.body.status], [200, 'suspended'])
    const during = await statusesOf(one)
    assert.deepEqual([during.reads, during.changes], [before.reads, new Set([403])])
    assert.equal((await resume(one.id)).body.status, 'active')
    const after = await statusesOf(one)
    assert.deepEqual(after, before)
    assert.deepEqual(await mailsOf(one), ['account_suspended', 'account_resumed'])
  })

  it('leaves its reason in the audit log of the owner, by the name of the operator', async () => {
    const { id } = await registrar.customer(empty)
    await change('suspend', id, { reason: 'Stolen card' })
    const rows = await sql(
      `select actor_type, actor_label, result, metadata from audit_logs
        where customer_id = $1 and action = 'suspend_customer'`,
      [id],
    )
    const row = { actor_type: 'operator', actor_label: 'environment', result: 'success' }
    assert.deepEqual(rows, [{ ...row, metadata: { reason: 'Stolen card' } }])
  })

  it('is changed once: again, the same answer and no mail', async () => {
    const one = await registrar.customer(empty)
    const first = await change('suspend', one.id)
    const again = await change('suspend', one.id)
    assert.deepEqual(again.body, first.body)
    await resume(one.id)
    await resume(one.id)
    assert.deepEqual(await mailsOf(one), ['account_suspended', 'account_resumed'])
  })

  it('is still credited, and lets its owner revoke access', async () => {
    const one = await registrar.customer(empty)
    await change('suspend', one.id)
    assert.equal((await topUp(one.id, 500)).status, 200)
    const { body } = await ask(one.key, ['GET', `/v1/customers/${one.id}/billing/balance`])
    assert.equal(body.available, '5.00')
    const session = await sessionOf(registrar, one)
    const ended = { current_password: ownersPassword, new_password: `${ownersPassword}!` }
    assert.equal((await ask(session, ['POST', '/v1/account/password'], ended)).status, 200)
  })
})

describe('an account that is not empty', () => {
  const contentsOf = async (id: string) => {
    const { status, body } = await change('close', id)
    assert.deepEqual([status, body.code], [409, 'account_not_empty'])
    const [row] = await sql('select status from customers where id = $1', [id])
    assert.equal(row.status, 'active')
    return body.contents
  }

  it('is not closed with a domain or with money, which the error names', async () => {
    const one = await registrar.customer()
    const domain = `status-${process.pid}.com`
    assert.equal((await ask(one.key, ['POST', '/v1/domains'], { domain })).status, 200)
    const contents = await contentsOf(one.id)
    assert.equal(contents.domains, 1)
    assert.deepEqual(contents.balances, [
      { currency: 'USD', available: '989.15', held: '0.00', owed: '0.00', reserved: '0.00' },
    ])
    assert.equal((await ask(one.key, ['GET', `/v1/domains/${domain}`])).status, 200)
  })

  it('is not closed with a top-up under way, or with a payment that is parked', async () => {
    for (const [name, status, columns, values] of [
      ['open_top_ups', 'opening', '', ''],
      ['open_top_ups', 'processing', ', session_id', `, 'cs_' || $1`],
      ['parked_payments', 'parked', ', session_id, parked_reason', `, 'cs_' || $1, 'amount'`],
    ] as const) {
      const one = await registrar.customer(empty)
      await sql(
        `insert into card_checkouts
           (id, customer_id, amount_cents, currency, status, return_url, expires_at, created_at
            ${columns})
         values ('ctp_' || substr($1, 5), $1, 100, 'USD', '${status}', 'http://localhost', now(),
                 now()${values})`,
        [one.id],
      )
      assert.equal((await contentsOf(one.id))[name], 1, status)
      await sql('delete from card_checkouts where customer_id = $1', [one.id])
    }
  })

  it('is not closed with an order whose outcome is unknown, nor with its hold', async () => {
    const one = await registrar.customer()
    const { id } = await parkedOrderIn(registrar, { key: one.key, fault: 'drop_after' })
    const contents = await contentsOf(one.id)
    assert.equal(contents.open_orders, 1)
    assert.equal(contents.balances[0].held, '10.85')
    const path = `/v1/internal/parked-orders/${id}/settle`
    assert.equal((await request('POST', path, { token: operatorKey, body: {} })).status, 200)
  })

  it('is closed once its balance is paid out by an adjustment', async () => {
    const one = await registrar.customer({ ...empty, funds_cents: 700 })
    await contentsOf(one.id)
    const paid = await request('POST', '/v1/internal/billing/adjustments', {
      token: operatorKey,
      body: {
        customer_id: one.id,
        adjustment_id: `status-${one.id}`,
        currency: 'USD',
        amount_cents: -700,
        reason: 'Paid out by bank transfer',
      },
    })
    assert.ok(paid.status < 300, paid.text)
    assert.equal((await change('close', one.id)).body.status, 'closed')
  })
})

describe('a closed account', () => {
  it('has no access by key or session, and no log-in; an operator can open it again', async () => {
    const one = await registrar.customer(empty)
    const session = await sessionOf(registrar, one)
    const closed = await change('close', one.id)
    assert.deepEqual([closed.status, closed.body.status], [200, 'closed'])
    const all = await statusesOf(one)
    assert.deepEqual([all.reads, all.changes], [new Set([401]), new Set([401])])
    assert.equal((await ask(session, ['GET', '/v1/account'])).status, 401)
    const logIn = { body: { email: one.email, password: ownersPassword } }
    assert.equal((await request('POST', '/v1/dashboard/login', logIn)).status, 401)
    assert.deepEqual((await change('suspend', one.id)).body.code, 'account_is_closed')
    assert.equal((await change('close', one.id)).status, 200)
    assert.equal((await resume(one.id)).body.status, 'active')
    assert.equal((await ask(one.key, ['GET', '/v1/account'])).status, 401)
    assert.equal((await ask(session, ['GET', '/v1/account'])).status, 401)
    assert.equal((await request('POST', '/v1/dashboard/login', logIn)).status, 200)
    assert.deepEqual(await mailsOf(one), ['account_closed', 'account_resumed'])
  })

  it('is credited what comes in later, which is there when it is opened again', async () => {
    const one = await registrar.customer(empty)
    await change('close', one.id)
    assert.equal((await topUp(one.id, 1_234)).status, 200)
    const path = `/v1/customers/${one.id}/billing/balance`
    assert.equal((await ask(operatorKey, ['GET', path])).body.available, '12.34')
    await resume(one.id)
    const session = await sessionOf(registrar, one)
    assert.equal((await ask(session, ['GET', path])).body.available, '12.34')
  })

  it('loses no cent when money comes in at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const one = await registrar.customer(empty)
      const [closed, credited] = await Promise.all([change('close', one.id), topUp(one.id, 100)])
      assert.equal(credited.status, 200)
      const path = `/v1/customers/${one.id}/billing/balance`
      assert.equal((await ask(operatorKey, ['GET', path])).body.available, '1.00')
      assert.ok([200, 409].includes(closed.status), closed.text)
    }
  })
})

describe('the owner closes it', () => {
  const close = (token: string, email: string) =>
    ask(token, ['POST', '/v1/account/close'], { email })

  it('in person, after a fresh log-in, with the address of the account', async () => {
    const one = await registrar.customer(empty)
    const byKey = await close(one.key, one.email)
    assert.deepEqual([byKey.status, byKey.body.code], [403, 'session_required'])
    const old = await close(await sessionOf(registrar, one), one.email)
    assert.deepEqual([old.status, old.body.code], [403, 'fresh_log_in_needed'])
    const session = await recentSessionOf(registrar, one)
    const wrong = await close(session, 'someone@example.net')
    assert.deepEqual([wrong.status, wrong.body.code], [409, 'email_not_confirmed'])
    const done = await close(session, one.email.toUpperCase())
    assert.deepEqual([done.status, done.body.status], [200, 'closed'])
    for (const token of [session, one.key])
      assert.equal((await ask(token, ['GET', '/v1/account'])).status, 401)
    const rows = await sql(
      `select actor_type, result from audit_logs
        where customer_id = $1 and action = 'close_account' order by id desc limit 1`,
      [one.id],
    )
    assert.deepEqual(rows, [{ actor_type: 'customer', result: 'success' }])
  })

  it('not while it has money; the error says what is left and what to do', async () => {
    const one = await registrar.customer()
    const { status, body } = await close(await recentSessionOf(registrar, one), one.email)
    assert.deepEqual([status, body.code], [409, 'account_not_empty'])
    assert.equal(body.contents.balances[0].available, '1000.00')
    assert.match(body.next_action.hint, /spend the balance/)
    assert.equal((await ask(one.key, ['GET', '/v1/account'])).status, 200)
  })

  it('and the cookie of the browser is removed', async () => {
    const browser = await cookieBrowser(registrar)
    const options = { headers: ours, body: { email: browser.account.email } }
    const answer = await browser.send('POST', '/v1/account/close', options)
    assert.equal(answer.status, 200, answer.text)
    assert.match(answer.headers.getSetCookie()[0] ?? '', /Max-Age=0/)
  })
})
