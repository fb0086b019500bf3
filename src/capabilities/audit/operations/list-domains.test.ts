// The log of the caller's domains: filters, bounds of the time range, pagination while it grows,
// and isolation between customers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, sharedService } from '../../../../test/support/service.ts'
import { storeAuditRow } from '../chain/audit.sql.ts'
import { auditRowOf } from '../rows/row.ts'

const registrar = await sharedService({ worker: false })
const customer = await registrar.customer()
const other = await registrar.customer({ funds_cents: 0, contact: false })

type Query = Record<string, string>
const get = (query: Query = {}, token = customer.key) =>
  registrar.request('GET', `/v1/domain-audit-logs?${new URLSearchParams(query)}`, { token })
type Entry = { id: number; action: string; target: string; created_at: string }
const entriesOf = (answer: Answer): Entry[] => answer.body.audit_logs
const actions = async (query: Query) => entriesOf(await get(query)).map(({ action }) => action)

type Deed = { action: string; domain: string; at: string; of?: string; target_type?: string }
async function deed({ action, domain, at, of = customer.id, target_type = 'domain' }: Deed) {
  const row = auditRowOf(
    {
      entry_point: 'rest',
      action,
      caller: { kind: 'operator', key_id: 1n, label: 'ops' },
      agent_identifier: 'test',
      now: new Date(at),
    },
    { target_type, target: domain, customer_id: of },
  )
  return Number(await storeAuditRow(registrar.service.app.db, row))
}

const first = await deed({ action: 'one', domain: 'a.com', at: '2026-03-01T10:00:00.000Z' })
await deed({ action: 'two', domain: 'b.com', at: '2026-03-01T10:00:00.001Z' })
await deed({ action: 'three', domain: 'a.com', at: '2026-03-01T11:00:00.999Z' })
await deed({ action: 'hidden', domain: 'a.com', at: '2026-03-01T10:30:00Z', of: other.id })
await deed({ action: 'other', domain: '17', at: '2026-03-01T10:30:00Z', target_type: 'contact' })

test('it has entries about domains alone, newest first', async () => {
  const answer = await get()
  assert.equal(answer.status, 200)
  assert.deepEqual(await actions({}), ['three', 'two', 'one'])
  assert.equal(answer.body.next_cursor, null)
  assert.deepEqual(Object.keys(answer.body), ['audit_logs', 'next_cursor'])
})

test('a domain is found by any form of its name; an invalid name matches no entry', async () => {
  for (const domain of ['a.com', 'A.CoM', 'a.com.'])
    assert.deepEqual(await actions({ domain }), ['three', 'one'], domain)
  for (const domain of ['none.com', 'a', '', '17', 'a.com..', 'a com', "'; --", '%', 'a.c_m'])
    assert.deepEqual(await actions({ domain }), [], domain)
  assert.equal((await get({ domain: 'a'.repeat(254) })).status, 422)
})

test('an action is found by its whole name, alone and with a domain', async () => {
  assert.deepEqual(await actions({ action: 'two' }), ['two'])
  assert.deepEqual(await actions({ action: 'Two' }), [])
  assert.deepEqual(await actions({ action: 'one', domain: 'b.com' }), [])
  assert.deepEqual(await actions({ action: 'one', domain: 'a.com' }), ['one'])
})

test('both bounds of a time range are inclusive, to the millisecond, in any offset', async () => {
  const cases: [Query, string[]][] = [
    [{ from_timestamp: '2026-03-01T10:00:00.001Z' }, ['three', 'two']],
    [{ to_timestamp: '2026-03-01T10:00:00.000Z' }, ['one']],
    [{ from_timestamp: '2026-03-01T11:00:00.001+01:00' }, ['three', 'two']],
    [{ to_timestamp: '2026-03-01T04:30:00.001-05:30' }, ['two', 'one']],
    [
      { from_timestamp: '2026-03-01T10:00:00.001Z', to_timestamp: '2026-03-01T10:00:00.001Z' },
      ['two'],
    ],
    [
      { from_timestamp: '2026-03-01T12:00:00+01:00', to_timestamp: '2026-03-01T11:00:00.999Z' },
      ['three'],
    ],
    [{ from_timestamp: '2026-03-01T11:00:01Z' }, []],
    [{ from_timestamp: '0001-01-01T00:00:00Z', to_timestamp: '9999-12-31T23:59:59Z' }, all()],
    [{ from_timestamp: '0000-01-01T00:00:00Z' }, all()],
    [{ from_timestamp: '2026-03-01t10:00:00z' }, all()],
  ]
  for (const [query, expected] of cases)
    assert.deepEqual(await actions(query), expected, JSON.stringify(query))
})

function all(): string[] {
  return ['three', 'two', 'one']
}

test('a range that ends before it begins, or an invalid date, is 422', async () => {
  const cases: [Query, string[]][] = [
    [
      { from_timestamp: '2026-03-01T10:00:00.001Z', to_timestamp: '2026-03-01T10:00:00Z' },
      ['from_timestamp'],
    ],
    [
      { from_timestamp: '2026-03-01T10:00:00Z', to_timestamp: '2026-03-01T11:00:00+02:00' },
      ['from_timestamp'],
    ],
    [{ from_timestamp: '2016-12-31T23:59:60Z' }, ['from_timestamp']],
    [{ from_timestamp: '2026-03-01', to_timestamp: 'now' }, ['from_timestamp', 'to_timestamp']],
    [{ to_timestamp: '2026-02-29T00:00:00Z' }, ['to_timestamp']],
    [{ to_timestamp: '2026-03-01T10:00:00' }, ['to_timestamp']],
    [{ limit: '0' }, ['limit']],
    [{ limit: '501' }, ['limit']],
    [{ limit: '1.5' }, ['limit']],
    [{ cursor: 'x' }, ['cursor']],
    [{ cursor: '-1' }, ['cursor']],
    [{ colour: 'red' }, ['colour']],
  ]
  for (const [query, fields] of cases) {
    const answer = await get(query)
    assert.equal(answer.status, 422, `${JSON.stringify(query)} ${answer.text}`)
    const found = answer.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))
    assert.deepEqual(
      found,
      fields.map((field) => `query.${field}`),
    )
  }
})

test('pages continue below their cursor while entries are added, without gaps or duplicates', async () => {
  const before = entriesOf(await get()).map(({ id }) => id)
  const seen: number[] = []
  for (let query: Query = { limit: '1' }; ; ) {
    const answer = await get(query)
    seen.push(...entriesOf(answer).map(({ id }) => id))
    await deed({ action: 'later', domain: 'a.com', at: '2026-03-02T00:00:00Z' })
    if (answer.body.next_cursor === null) break
    query = { limit: '1', cursor: answer.body.next_cursor }
  }
  assert.deepEqual(seen, before)
  const narrowed: number[] = []
  const filters = { domain: 'a.com', to_timestamp: '2026-03-01T23:00:00Z', limit: '1' }
  for (let query: Query = filters; ; ) {
    const { body } = await get(query)
    narrowed.push(...body.audit_logs.map(({ id }: Entry) => id))
    if (body.next_cursor === null) break
    query = { ...filters, cursor: body.next_cursor }
  }
  assert.equal(narrowed.length, 2)
  assert.equal(narrowed.at(-1), first)
})

test('a page has 100 entries by default', async () => {
  await Promise.all(
    Array.from({ length: 101 }, () =>
      deed({ action: 'many', domain: 'many.com', at: '2026-04-01T00:00:00Z' }),
    ),
  )
  const page = await get({ domain: 'many.com' })
  assert.equal(entriesOf(page).length, 100)
  const { body } = await get({ domain: 'many.com', cursor: page.body.next_cursor })
  assert.deepEqual([body.audit_logs.length, body.next_cursor], [1, null])
  assert.equal(entriesOf(await get({ domain: 'many.com', limit: '500' })).length, 101)
})

test("another customer sees nothing of it, not even by a domain's name or a cursor of it", async () => {
  const theirs = await get({}, other.key)
  assert.deepEqual(
    entriesOf(theirs).map(({ action }) => action),
    ['hidden'],
  )
  assert.deepEqual(entriesOf(await get({ domain: 'b.com' }, other.key)), [])
  const { body } = await get({ domain: 'many.com', limit: '1' })
  assert.deepEqual(entriesOf(await get({ cursor: body.next_cursor }, other.key)).length, 1)
})

test('a purchase is listed, and a refused request is listed under the canonical name', async () => {
  const token = customer.key
  const buy = (domain: string) =>
    registrar.request('POST', '/v1/domains', { token, body: { domain, max_price: '0.01' } })
  assert.equal((await buy('Bücher-LOG.com')).status, 409)
  const [entry] = entriesOf(await get({ domain: 'bücher-log.com' }))
  assert.deepEqual([entry?.action, entry?.target], ['register_domain', 'xn--bcher-log-q9a.com'])
})
