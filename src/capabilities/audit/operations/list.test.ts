// Audit listing and proofs over HTTP: order, filters, pagination and access.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type Answer, sharedService } from '../../../../test/support/service.ts'
import { storeAuditRow } from '../chain/audit.sql.ts'
import { readPublicKey } from '../chain/block.ts'
import { verifyInclusion } from '../chain/inclusion-proof.ts'
import { auditRowOf } from '../rows/row.ts'

const registrar = await sharedService()
const customer = await registrar.customer({ funds_cents: 0, contact: false })
const other = await registrar.customer({ funds_cents: 0, contact: false })
const path = `/v1/customers/${customer.id}/audit-logs`
const get = (query = '', token = customer.key) => registrar.request('GET', path + query, { token })

/** Entries like those of the customer's domain operations, a minute apart. */
async function act(action: string, domain: string, minute: number): Promise<bigint> {
  const caller = { kind: 'operator', key_id: 1n, label: 'ops' } as const
  const now = new Date(Date.UTC(2026, 0, 1, 0, minute))
  const row = auditRowOf(
    { entry_point: 'mcp', action, caller, agent_identifier: 'test', now },
    { target_type: 'domain', target: domain, customer_id: customer.id, status_code: 200 },
  )
  return storeAuditRow(registrar.service.app.db, row)
}
await act('register_domain', 'a.com', 1)
await act('renew_domain', 'a.com', 2)
const newest = await act('register_domain', 'xn--bcher-kva.com', 3)

const actions = (answer: Answer) =>
  answer.body.audit_logs.map((one: { action: string }) => one.action)

test('the log has every field, newest first, and begins with the entries of the operator', async () => {
  const answer = await get()
  assert.equal(answer.status, 200)
  assert.equal(answer.body.next_cursor, null)
  assert.deepEqual(actions(answer).slice(0, 3), [
    'register_domain',
    'renew_domain',
    'register_domain',
  ])
  assert.deepEqual(answer.body.audit_logs[0], {
    id: Number(newest),
    entry_point: 'mcp',
    action: 'register_domain',
    actor_type: 'operator',
    actor_label: 'ops',
    agent_identifier: 'test',
    api_key_id: null,
    customer_id: customer.id,
    target_type: 'domain',
    target: 'xn--bcher-kva.com',
    result: 'success',
    status_code: 200,
    error_code: null,
    metadata: {},
    created_at: '2026-01-01T00:03:00.000Z',
  })
})

test('filters by action and entry point, and pages without a gap', async () => {
  assert.deepEqual(actions(await get('?action=renew_domain')), ['renew_domain'])
  assert.equal(actions(await get('?entry_point=mcp')).length, 3)
  assert.equal(actions(await get('?entry_point=cli')).length, 0)
  const all = (await get()).body.audit_logs
  const paged: unknown[] = []
  for (let query = '?limit=2'; ; ) {
    const { audit_logs, next_cursor } = (await get(query)).body
    paged.push(...audit_logs)
    if (next_cursor === null) break
    query = `?limit=2&cursor=${next_cursor}`
  }
  assert.deepEqual(paged, all)
})

test('invalid limits and cursors are 422', async () => {
  for (const query of ['?limit=0', '?limit=501', '?limit=x', '?cursor=-1', '?page=2'])
    assert.equal((await get(query)).status, 422, query)
})

test('operators may read it; another customer gets 404, no token 401, no scope 403', async () => {
  assert.equal((await get('', registrar.operatorKey)).status, 200)
  assert.equal((await get('', other.key)).status, 404)
  assert.equal((await registrar.request('GET', path)).status, 401)
  const narrow = await registrar.customer({
    scopes: ['domains:read'],
    funds_cents: 0,
    contact: false,
  })
  const own = `/v1/customers/${narrow.id}/audit-logs`
  assert.equal((await registrar.request('GET', own, { token: narrow.key })).status, 403)
})

test("the domains' log is narrowed by name in either script, action and time", async () => {
  const of = async (query: string, token = customer.key) =>
    registrar.request('GET', `/v1/domain-audit-logs${query}`, { token })
  assert.equal(actions(await of('')).length, 3)
  assert.deepEqual(actions(await of('?domain=A.com')), ['renew_domain', 'register_domain'])
  assert.equal(actions(await of(`?domain=${encodeURIComponent('bücher.com')}`)).length, 1)
  assert.equal(actions(await of('?domain=a.com&action=renew_domain')).length, 1)
  const times = '?from_timestamp=2026-01-01T00:02:00Z&to_timestamp=2026-01-01T00:03:00Z'
  assert.equal(actions(await of(times)).length, 2)
  assert.equal(actions(await of('', other.key)).length, 0)
  assert.equal((await of('', registrar.operatorKey)).status, 403)
})

async function proofWhenSealed(id: bigint): Promise<Answer> {
  for (;;) {
    const answer = await registrar.request('GET', `${path}/${id}/proof`, { token: customer.key })
    if (answer.body.code !== 'audit_log_unsealed') return answer
  }
}

test('a new entry is sealed soon, and its proof is valid offline', async () => {
  const id = await act('lock_domain', 'a.com', 4)
  const began = performance.now()
  const { status, body } = await proofWhenSealed(id)
  const waited = performance.now() - began
  assert.equal(status, 200)
  assert.ok(waited < 10_000, `sealed after ${waited} ms`)
  assert.equal(createHash('sha256').update(body.canonical_row).digest('hex'), body.row_hash)
  assert.match(body.canonical_row, /"action":"lock_domain"/)
  const { row_hash, inclusion, block } = body
  assert.equal(
    verifyInclusion({ row_hash, inclusion, block }, readPublicKey(block.public_key)),
    true,
  )
})

test("the proof of another customer's entry, or of an unknown one, is 404", async () => {
  const theirs = `/v1/customers/${other.id}/audit-logs/${newest}/proof`
  assert.equal((await registrar.request('GET', theirs, { token: other.key })).status, 404)
  assert.equal((await get('/999999999/proof')).body.code, 'audit_log_not_found')
})
