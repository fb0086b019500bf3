// Transfers in through a whole service: held for days, captured when the registry confirms,
// released by it.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { startService, type TestCustomer } from '../../../../../test/support/service.ts'
import { attempt, open, rivalOf } from '../../../../adapters/registry/fixtures/sandbox.ts'
import { newAttempt } from '../../orders/attempt.ts'
import { handlerOf } from '../../orders/handlers/order-handlers.ts'
import { digestOf } from '../../orders/idempotency.ts'

const registrar = await startService()
const rivals = {
  thin: open(rivalOf(registrar.sandbox, 'thin')),
  thick: open(rivalOf(registrar.sandbox, 'thick')),
}
after(() => Promise.all(Object.values(rivals).map((rival) => rival.close())))
const day = 86_400_000
const code = 'Seeded-2Move'

function move(buyer: TestCustomer, body: object, headers = {}) {
  return registrar.request('POST', '/v1/domains/transfer', {
    token: buyer.key,
    body: { auth_code: code, ...body },
    headers,
  })
}

const read = (buyer: TestCustomer, domain: string) =>
  registrar.request('GET', `/v1/domains/${domain}`, { token: buyer.key })

async function balance(buyer: TestCustomer): Promise<string> {
  const path = `/v1/customers/${buyer.id}/billing/balance`
  const { body } = await registrar.request('GET', path, { token: buyer.key })
  return `${body.available} ${body.held}`
}

async function until(buyer: TestCustomer, domain: string, status: string) {
  const end = Date.now() + 40_000
  for (;;) {
    const answer = await read(buyer, domain)
    if (answer.body.status === status) return answer
    if (Date.now() > end) assert.fail(`${domain} is not ${status}: ${answer.text}`)
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
}

const transfers = (domain: string) =>
  registrar.sandbox.effects().filter((one) => one.domain === domain && one.kind === 'transfer')
    .length

test('holds the money, and captures it when the other registrar approves', async () => {
  const buyer = await registrar.customer({ funds_cents: 2_000 })
  const domain = 'old-harbour.com'
  const asked = await move(buyer, { domain })
  assert.equal(asked.status, 200, asked.text)
  assert.equal(asked.body.status, 'transfer_pending', asked.text)
  assert.equal(asked.body.operation.type, 'transfer')
  assert.equal(asked.body.operation.state, 'pending')
  assert.equal(await balance(buyer), '9.15 10.85')
  const again = await move(buyer, { domain })
  assert.equal(
    again.body.operation.id,
    asked.body.operation.id,
    'the same request is the same order',
  )
  const other = await move(buyer, { domain, nameservers: ['ns1.example.net', 'ns2.example.net'] })
  assert.equal(other.body.code, 'order_open', other.text)
  const approved = await rivals.thin.transferApprove(domain, attempt())
  assert.equal(approved.kind, 'done')
  const done = await until(buyer, domain, 'active')
  assert.equal(done.body.expiry, registrar.sandbox.lookup(domain)?.expires_at)
  assert.equal(await balance(buyer), '9.15 0.00')
  assert.equal(transfers(domain), 1)
  const list = await registrar.request('GET', '/v1/domains', { token: buyer.key })
  assert.deepEqual(
    list.body.domains.map((one: { domain: string }) => one.domain),
    [domain],
  )
})

test('releases the whole hold when the other registrar rejects', async () => {
  const buyer = await registrar.customer({ funds_cents: 2_000 })
  const domain = 'old-harbour.test'
  assert.equal((await move(buyer, { domain })).body.status, 'transfer_pending')
  assert.equal((await rivals.thick.transferReject(domain, attempt())).kind, 'done')
  const failed = await until(buyer, domain, 'failed')
  assert.equal(failed.body.operation.error.code, 'transfer_rejected', failed.text)
  assert.equal(await balance(buyer), '20.00 0.00')
  assert.equal(transfers(domain), 0)
})

test('canceled by its buyer: ended at the registry and here, and it may begin again', async () => {
  const buyer = await registrar.customer({ funds_cents: 2_000 })
  const domain = 'paper-lantern.com'
  const cancel = () =>
    registrar.request('POST', `/v1/domains/${domain}/transfer/cancel`, { token: buyer.key })
  assert.equal((await cancel()).body.code, 'domain_not_found')
  assert.equal((await move(buyer, { domain })).body.status, 'transfer_pending')
  const other = await registrar.customer()
  const foreign = await registrar.request('POST', `/v1/domains/${domain}/transfer/cancel`, {
    token: other.key,
  })
  assert.equal(foreign.body.code, 'domain_not_found')
  const ended = await cancel()
  assert.equal(ended.status, 200, ended.text)
  assert.equal(ended.body.status, 'failed')
  assert.equal(ended.body.operation.error.code, 'transfer_cancelled')
  assert.equal(await balance(buyer), '20.00 0.00')
  const query = await rivals.thin.transferQuery(domain, 'normal')
  assert.equal(query.kind === 'done' && query.value.status, 'clientCancelled')
  assert.equal((await move(buyer, { domain })).body.status, 'transfer_pending')
})

test('reports a transfer that cannot be canceled, and continues it', async () => {
  const buyer = await registrar.customer()
  const domain = 'paper-lantern.shop'
  const nameservers = ['ns1.example.net', 'ns2.example.net']
  assert.equal((await move(buyer, { domain, nameservers })).body.status, 'transfer_pending')
  const path = `/v1/domains/${domain}/transfer/cancel`
  const kept = await registrar.request('POST', path, { token: buyer.key })
  assert.equal(kept.body.code, 'no_transfer_pending', kept.text)
  assert.match(kept.body.detail, /cannot cancel a transfer/)
  assert.equal((await read(buyer, domain)).body.status, 'transfer_pending')
})

test('a wrong code, a free name, one of this registrar: refused before or by the registry, unpaid', async () => {
  const buyer = await registrar.customer({ funds_cents: 4_000 })
  const wrong = await move(buyer, { domain: 'quiet-river.com', auth_code: 'not-the-code' })
  assert.equal(wrong.status, 409, wrong.text)
  assert.equal(wrong.body.code, 'auth_code_wrong')
  const free = await move(buyer, { domain: 'not-registered.com' })
  assert.equal(free.body.code, 'not_transferable', free.text)
  const neighbour = await registrar.customer()
  const made = await registrar.request('POST', '/v1/domains', {
    token: neighbour.key,
    body: { domain: 'neighbours.com' },
  })
  assert.equal(made.status, 200, made.text)
  assert.equal((await move(buyer, { domain: 'neighbours.com' })).body.code, 'held_here')
  assert.equal(
    (await move(neighbour, { domain: 'neighbours.com' })).body.code,
    'domain_already_held',
  )
  assert.equal(
    (await move(buyer, { domain: 'quiet-river.com', period_years: 2 })).body.code,
    'period_not_allowed',
  )
  assert.equal(await balance(buyer), '40.00 0.00')
})

async function rowsOf(url: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const tables = ['orders', 'audit_logs', 'idempotency_keys', 'ledger_entries']
  const found = []
  for (const table of tables) found.push(...(await client.query(`select * from ${table}`)).rows)
  await client.end()
  return found
}

const textOf = (rows: unknown[]) =>
  JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? `${value}` : value))

test('stores and logs the code nowhere in clear text', async () => {
  const buyer = await registrar.customer()
  const domain = 'quiet-river.test'
  registrar.sandbox.setFault({ name: 'drop_before', command: 'domain:transfer', domain, times: 1 })
  const asked = await move(buyer, { domain })
  assert.equal(asked.body.operation.state, 'unknown', asked.text)
  const rows = await rowsOf(registrar.service.settings.database_url ?? '')
  assert.ok(rows.length > 0)
  assert.ok(!textOf(rows).includes(code))
  assert.ok(!registrar.logs.join('\n').includes(code))
  await until(buyer, domain, 'transfer_pending')
})

test('an attacker with the rows but without the key cannot test codes', async () => {
  const buyer = await registrar.customer()
  const domain = 'old-harbour.net'
  const asked = await move(buyer, { domain }, { 'idempotency-key': 'guessed' })
  assert.equal(asked.body.status, 'transfer_pending', asked.text)
  const again = await move(buyer, { domain }, { 'idempotency-key': 'guessed' })
  assert.equal(again.headers.get('idempotent-replayed'), 'true', again.text)
  const other = await move(buyer, { domain, auth_code: 'x' }, { 'idempotency-key': 'guessed' })
  assert.equal(other.status, 422, other.text)
  const facts = { domain, auth_code: code, period_years: 1, currency: 'USD', allow_premium: false }
  const guesses = [
    digestOf({ type: 'transfer', ...facts }),
    digestOf({ at: 'POST /v1/domains/transfer', body: { ...facts, dry_run: false } }),
  ]
  const rows = textOf(await rowsOf(registrar.service.settings.database_url ?? ''))
  for (const guess of guesses) assert.ok(!rows.includes(guess))
})

test('a registry that quotes the code in its refusal is not quoted', async () => {
  const { app } = registrar.service
  const registry = app.registries.byTld.get('com')?.registry ?? assert.fail('no .com')
  const message = `Authorization information "${code}" is not accepted`
  const refused = { kind: 'refused', reason: 'bad_auth_code', code: 2202, message } as const
  const quoting = { ...registry, transferRequest: async () => ({ ...refused, sv_trid: null }) }
  const command = { period_years: 1, nameservers: null, contacts: {}, fee: null }
  const order = {
    id: 'ord_quoted',
    type: 'transfer',
    customer_id: 'none',
    domain: 'quoted.com',
    currency: 'USD',
    command,
    attempts: 1,
    fingerprints: [],
    first_sent_at: new Date(),
    created_at: new Date(),
    sealed: app.encryption.seal(code),
    lease_token: '',
    send_by_ms: 0,
    unanswered_at: null,
  } as const
  const sending = { order: { ...order, fingerprints: [] }, attempt: newAttempt(order.id, 1) }
  const outcome = await handlerOf('transfer').send(app, { ...sending, registry: quoting })
  assert.equal(outcome.kind, 'refused')
  assert.ok(!JSON.stringify(outcome).includes(code))
})

test('captures the hold of an unanswered transfer that the registry completes after five days', async () => {
  const buyer = await registrar.customer({ funds_cents: 2_000 })
  const domain = 'old-harbour.io'
  const asked = await move(buyer, { domain, nameservers: ['ns1.example.net', 'ns2.example.net'] })
  assert.equal(asked.status, 402, 'it costs 49.80')
  const rich = await registrar.customer({ funds_cents: 5_000 })
  assert.equal((await move(rich, { domain })).body.status, 'transfer_pending')
  const jump = await registrar.request('POST', '/v1/sandbox/clock', {
    token: registrar.operatorKey,
    body: { advance_ms: 5 * day + 60_000 },
  })
  assert.equal(jump.status, 200, jump.text)
  const done = await until(rich, domain, 'active')
  assert.equal(done.body.expiry, registrar.sandbox.lookup(domain)?.expires_at)
  assert.equal(await balance(rich), '0.20 0.00')
})
