// The export of an account: all of it, nothing of others, and no secret.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { sharedService, type TestCustomer } from '../../../test/support/service.ts'
import { recentSessionOf, sessionOf } from '../../../test/support/sign-in.ts'
import { scopes } from '../../app.ts'

const registrar = await sharedService()
const { request } = registrar
const sql = rowsIn(registrar)
const path = '/v1/account/export'

type Filling = { domain: string; other: TestCustomer }

/** A message, a DNS record, a webhook and an identity; and a message of another account. */
async function fill(one: TestCustomer, { domain, other }: Filling): Promise<void> {
  const steps = [
    [one.key, '/v1/support/messages', { body: 'Where is my name?' }],
    [one.key, `/v1/domains/${domain}/dns-record`, { record_value: '192.0.2.1' }],
    [one.key, '/v1/webhooks', { url: 'https://hooks.registrar.example/in' }],
    [other.key, '/v1/support/messages', { body: `From ${other.id}` }],
  ] as const
  for (const [token, at, body] of steps) {
    const done = await request('POST', at, { token, body })
    assert.ok(done.status < 300, done.text)
  }
  await sql(
    `insert into sso_identities (customer_id, provider, issuer, subject, created_at)
     values ($1, 'github', 'https://github.example', $1, now())`,
    [one.id],
  )
}

describe('the export', () => {
  it('has every part of the account, and of no other one', async () => {
    const one = await registrar.customer({ scopes: [...scopes] })
    const other = await registrar.customer({ scopes: [...scopes] })
    const domain = `export-${process.pid}.com`
    const bought = await request('POST', '/v1/domains', { token: one.key, body: { domain } })
    assert.equal(bought.status, 200)
    await fill(one, { domain, other })
    const token = await recentSessionOf(registrar, one)
    const limited = await request('POST', `/v1/customers/${one.id}/api-keys`, {
      token,
      body: { spend_limit: { amount: '25.00' }, allowed_domains: ['shop-*.com'] },
    })
    const { status, body, text } = await request('GET', path, { token })
    assert.equal(status, 200)
    const [limit, ...more] = body.limits
    assert.deepEqual(
      [limit.api_key_id, limit.spend_amount, limit.spend_window, limit.allowed_domains, more],
      [limited.body.key.id, '25.00', 'month', ['shop-*.com'], []],
    )
    assert.deepEqual(
      [body.support_messages[0].body, body.webhooks[0].url, body.log_ins[0].name],
      ['Where is my name?', 'https://hooks.registrar.example/in', 'github'],
    )
    assert.equal(body.domains[0].dns_records[0].value, '192.0.2.1')
    assert.deepEqual([body.connected_apps, body.support_messages.length], [[], 1])
    assert.deepEqual([body.format, body.account.id], ['agent-registrar-export/1', one.id])
    assert.deepEqual([body.domains[0].name, body.domains.length], [domain, 1])
    assert.deepEqual([body.orders[0].type, body.orders[0].amount], ['register', '10.85'])
    assert.equal(body.contacts[0].id, one.contact_id)
    assert.equal(body.api_keys[0].id, one.key_id)
    assert.equal(body.invoices[0].total_amount, '1000.00')
    const types = body.ledger_transfers.map(({ type }: { type: string }) => type)
    assert.deepEqual(types, ['top_up', 'hold', 'capture'])
    const last = body.ledger_transfers.at(-1)
    assert.deepEqual([last.available_after, last.held_after], ['989.15', '0.00'])
    assert.equal(body.audit_logs[0].action, 'export_account')
    assert.ok(!text.includes(other.id) && !text.includes(other.email) && !text.includes('whsec'))
  })

  it('has no secret: no key, session, hash or sealed value', async () => {
    const one = await registrar.customer({ funds_cents: 0 })
    const token = await recentSessionOf(registrar, one)
    const { text } = await request('GET', path, { token })
    assert.ok(!text.includes(one.key.slice(14)) && !text.includes(token.slice(4)))
    assert.doesNotMatch(text, /"[a-z_]*(key_hash|token_hash|sealed|password|auth_code)[a-z_]*":/)
    const [row] = await sql('select key_hash from api_keys where id = $1', [one.key_id])
    for (const form of ['hex', 'base64'] as const)
      assert.ok(!text.includes(Buffer.from(row.key_hash).toString(form)))
  })

  it('goes over many pages, each row once', async () => {
    const one = await registrar.customer({ funds_cents: 0, contact: false })
    await sql(
      `insert into audit_logs (entry_point, action, actor_type, agent_identifier, customer_id,
         result, metadata, created_at, row_hash)
       select 'rest', 'get_account', 'system', 'test', $1, 'success', '{}', now(),
              sha256(convert_to(i::text || $1, 'UTF8'))
         from generate_series(1, 1200) i`,
      [one.id],
    )
    const token = await recentSessionOf(registrar, one)
    const { body } = await request('GET', path, { token })
    const ids = body.audit_logs.map(({ id }: { id: number }) => id)
    assert.ok(ids.length > 1200)
    assert.equal(new Set(ids).size, ids.length)
  })

  it('is for the owner in person after a fresh log-in, also of a suspended account', async () => {
    const one = await registrar.customer({ funds_cents: 0, contact: false })
    const byKey = await request('GET', path, { token: one.key })
    assert.deepEqual([byKey.status, byKey.body.code], [403, 'session_required'])
    const old = await request('GET', path, { token: await sessionOf(registrar, one) })
    assert.deepEqual([old.status, old.body.code], [403, 'fresh_log_in_needed'])
    await sql(`update customers set status = 'suspended' where id = $1`, [one.id])
    const token = await recentSessionOf(registrar, one)
    assert.equal((await request('GET', path, { token })).status, 200)
  })
})

it('has the requests for approval, the reserve, and the limits that ask, too', async () => {
  const one = await registrar.customer({ scopes: [...scopes] })
  const token = await recentSessionOf(registrar, one)
  const domain = `export-kept-${process.pid}.com`
  assert.equal(
    (await request('POST', '/v1/domains', { token: one.key, body: { domain } })).status,
    200,
  )
  for (const [at, body] of [
    ['/v1/account/reserve', { amount: '25.00' }],
    [`/v1/domains/${domain}/reserve`, {}],
    [`/v1/domains/${domain}/protect`, {}],
  ] as const)
    assert.equal((await request('POST', at, { token, body })).status, 200)
  const { body: agent } = await request('POST', `/v1/customers/${one.id}/api-keys`, {
    token,
    body: {
      ...{ approval_above: { amount: '5.00' }, outside_allowed: 'ask' },
      dns: { hosts: ['@'], types: ['MX', 'TXT'] },
    },
  })
  const wanted = `export-asked-${process.pid}.com`
  const asked = await request('POST', '/v1/domains', {
    token: agent.api_key,
    body: { domain: wanted },
  })
  assert.equal(asked.body.code, 'approval_required', asked.text)
  const { body, text } = await request('GET', path, { token })
  const [approval, ...more] = body.approvals
  assert.deepEqual(
    [approval.id, approval.state, approval.domain, approval.amount, more],
    [asked.body.approval.id, 'pending', wanted, '10.85', []],
  )
  assert.doesNotMatch(text, /"(input|request_digest)":/)
  assert.deepEqual(body.balances, [
    { currency: 'USD', available: '964.15', held: '0.00', reserved: '25.00', owed: '0.00' },
  ])
  const [held] = body.domains
  assert.deepEqual([held.protected, held.from_reserve], [true, true])
  const [limit] = body.limits
  assert.deepEqual([limit.approval_amount, limit.outside_allowed], ['5.00', 'ask'])
  assert.deepEqual([limit.dns_hosts, limit.dns_types], [['@'], ['TYPE15', 'TYPE16']])
  assert.equal(limit.dns_in_person, true)
})
