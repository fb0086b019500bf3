// Audit rows: actor, hash and redaction.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../../../test/support/database.ts'
import type { AuditFacts, Caller, Scope } from '../../../app.ts'
import { unicodeText } from '../../../kit/arbitrary-text.fixture.ts'
import { rowsInOrder, storeAuditRow } from '../chain/audit.sql.ts'
import { auditRowOf, systemAuditRow } from './row.ts'
import { matchesHash, storedCanonicalJson } from './stored-row.ts'

const db = await testDatabase()
const now = new Date('2026-01-31T09:00:00.123Z')
const customer = 'cus_00000000000000000000000000'
const caller: Caller = {
  kind: 'api_key',
  limits: null,
  customer_id: customer,
  suspended: false,
  key_id: 9007199254740993n,
  label: 'buyer',
  scopes: new Set(),
}
const context = {
  entry_point: 'rest',
  action: 'register_domain',
  caller,
  agent_identifier: 'claude/1',
  now,
} as const
const facts: AuditFacts = { target_type: 'domain', target: 'a.com' }

async function newestStored() {
  const rows = await db.database.run(rowsInOrder, {
    after_xid: '0',
    after_id: 0n,
    first_id: 1n,
    below_id: 2n ** 62n,
    to_xid: String(2n ** 63n),
    to_id: 2n ** 62n,
    limit: 1_000_000,
  })
  const row = rows.at(-1)
  assert.ok(row)
  return row
}

test('a row names the key that called, its customer and its result', () => {
  const row = auditRowOf(context, facts)
  assert.equal(row.actor_type, 'api_key')
  assert.equal(row.api_key_id, '9007199254740993')
  assert.equal(row.actor_label, 'buyer')
  assert.equal(row.customer_id, customer)
  assert.equal(row.result, 'success')
  assert.equal(row.status_code, null)
  assert.equal(row.created_at, '2026-01-31T09:00:00.123Z')
})

test('the hash is SHA-256 of the RFC 8785 text of the other fields', () => {
  const row = auditRowOf(context, { ...facts, metadata: { b: 1, a: 'é' } })
  const text =
    '{"action":"register_domain","actor_label":"buyer","actor_type":"api_key",' +
    '"agent_identifier":"claude/1","api_key_id":"9007199254740993",' +
    '"created_at":"2026-01-31T09:00:00.123Z",' +
    `"customer_id":"${customer}","entry_point":"rest","error_code":null,` +
    '"metadata":{"a":"é","b":1},"result":"success","status_code":null,' +
    '"target":"a.com","target_type":"domain"}'
  assert.equal(row.row_hash, createHash('sha256').update(text).digest('hex'))
})

test('a customer, an operator, an anonymous caller and the registrar are distinct actors', () => {
  const of = (one: Caller) => auditRowOf({ ...context, caller: one }, facts)
  const about = { customer_id: customer, suspended: false, scopes: new Set<Scope>() }
  const owner = of({ ...about, kind: 'customer', session_id: 1n, signed_in_at: now })
  assert.deepEqual([owner.actor_type, owner.api_key_id], ['customer', null])
  const agent = of({
    ...about,
    ...{ kind: 'oauth_client', grant_id: 'g', client_id: 'c', label: 'Some Agent', limits: null },
  })
  assert.deepEqual([agent.actor_type, agent.actor_label], ['oauth_client', 'Some Agent'])
  assert.deepEqual([agent.metadata, owner.metadata], [{ oauth_client_id: 'c' }, {}])
  const operator = of({ kind: 'operator', key_id: 3n, label: 'ops' })
  assert.deepEqual(
    [operator.actor_type, operator.actor_label, operator.api_key_id, operator.customer_id],
    ['operator', 'ops', null, null],
  )
  assert.equal(of({ kind: 'anonymous' }).actor_type, 'anonymous')
  const registrar = systemAuditRow({ action: 'settle_orders', agent_identifier: 'x', now }, facts)
  assert.deepEqual([registrar.actor_type, registrar.entry_point], ['system', 'job'])
})

test('the facts may put a row into another log, or into none', () => {
  assert.equal(auditRowOf(context, { ...facts, customer_id: null }).customer_id, null)
})

const secretKeys = [
  'auth_code',
  'authCode',
  'registry_auth_info',
  'password',
  'newPassword',
  'access_token',
  'token',
  'api_key',
  'mcp_api_key',
  'Api-Key',
  'client_secret',
  'Authorization',
  'code',
  'private_key',
]

test('values of secret keys are redacted at any depth', () => {
  for (const key of secretKeys) {
    const row = auditRowOf(context, { ...facts, metadata: { deep: [{ [key]: 'marker-4711' }] } })
    assert.doesNotMatch(JSON.stringify(row), /marker-4711/, key)
    assert.match(JSON.stringify(row.metadata), /\[redacted\]/, key)
  }
})

test('keys that only resemble secrets are kept', () => {
  const metadata = {
    api_key_id: 7,
    error_code: 'x',
    country_code: 'GB',
    tokens: 3,
    postal_code: '1',
  }
  assert.deepEqual(auditRowOf(context, { ...facts, metadata }).metadata, metadata)
})

test('our own secrets are redacted anywhere in a text', () => {
  const key = `ar_live_${'a'.repeat(40)}`
  const row = auditRowOf(
    { ...context, agent_identifier: `agent with ${key}` },
    {
      ...facts,
      target: `op_${'b'.repeat(40)}`,
      metadata: { note: `?token=hush&x=1, Bearer ${key}` },
    },
  )
  assert.doesNotMatch(JSON.stringify(row), /a{20}|b{20}|hush/)
  assert.equal(row.agent_identifier, 'agent with [redacted]')
  assert.equal(row.metadata.note, '?token=[redacted]&x=1, [redacted]')
})

test('a stored row returns exactly the hashed text', async () => {
  await storeAuditRow(db.database, auditRowOf(context, { ...facts, metadata: { n: 1.5e-7 } }))
  const stored = await newestStored()
  assert.equal(matchesHash(stored), true)
  assert.match(storedCanonicalJson(stored), /"metadata":\{"n":1.5e-7\}/)
})

test('whatever the facts are, the row can be stored and read back as hashed', async () => {
  const anyText = unicodeText()
  const odd = fc.oneof(
    fc.double(),
    fc.bigInt(),
    fc.date(),
    fc.constant(undefined),
    anyText,
    fc.jsonValue(),
    fc.constant('\ud800 and \u0000'),
  )
  await fc.assert(
    fc.asyncProperty(fc.dictionary(anyText, odd), anyText, async (metadata, text) => {
      const row = auditRowOf(
        { ...context, agent_identifier: text },
        { ...facts, target: text, metadata },
      )
      await storeAuditRow(db.database, row)
      const stored = await newestStored()
      assert.equal(stored.row_hash.toString('hex'), row.row_hash)
      assert.equal(matchesHash(stored), true)
    }),
    { numRuns: 60 },
  )
})

test('the app role can neither change nor delete a row', async () => {
  const asApp = async (sql: string) =>
    db.query(`do $$ begin set local role agent_registrar_app; ${sql}; end $$`)
  for (const sql of [
    "update audit_logs set action = 'x'",
    'delete from audit_logs',
    'truncate audit_logs',
    'delete from audit_blocks',
    "update audit_blocks set key_id = 'x'",
  ])
    await assert.rejects(asApp(sql), /permission denied/, sql)
})
