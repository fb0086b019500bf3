// The filters of an account's log by time and actor, alone and combined, and pages that look at a
// window of rows each.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { type Answer, sharedService } from '../../../../test/support/service.ts'
import { auditRowOf } from '../rows/row.ts'

const registrar = await sharedService({ worker: false })
const customer = await registrar.customer({ funds_cents: 0, contact: false })
const other = await registrar.customer({ funds_cents: 0, contact: false })
const path = `/v1/customers/${customer.id}/audit-logs`
type Query = Record<string, string>
const get = (query: Query, token = customer.key) =>
  registrar.request('GET', `${path}?${new URLSearchParams(query)}`, { token })
const actionsOf = ({ body, text }: Answer): string[] => {
  assert.ok(Array.isArray(body.audit_logs), text)
  return body.audit_logs.map(({ action }: { action: string }) => action)
}
const actions = async (query: Query) => actionsOf(await get(query))

const known = { customer_id: customer.id, suspended: false, scopes: new Set<never>() }
const callers = {
  owner: { kind: 'customer', customer_id: customer.id },
  key: { ...known, kind: 'api_key', key_id: 7n, label: 'CI', limits: null },
  namesake: { ...known, kind: 'api_key', key_id: 8n, label: 'CI', limits: null },
  app: {
    ...known,
    kind: 'oauth_client',
    grant_id: '1',
    client_id: '1',
    label: 'Travel Bot',
    limits: null,
  },
} as const

type Deed = { action: string; by: keyof typeof callers; at: string; entry_point?: 'rest' | 'mcp' }

const pool = new pg.Pool({
  connectionString: registrar.service.settings.database_url ?? '',
  max: 1,
})
after(() => pool.end())

/** In one statement: a log of thousands is quick to make. */
async function store(deeds: readonly Deed[], customer_id = customer.id): Promise<void> {
  const rows = deeds.map(({ action, by, at, entry_point = 'rest' }) =>
    auditRowOf(
      { entry_point, action, caller: callers[by], agent_identifier: 'test', now: new Date(at) },
      { target_type: null, target: null, customer_id },
    ),
  )
  await pool.query('select audit_append(one) from jsonb_array_elements($1::text::jsonb) one', [
    JSON.stringify(rows),
  ])
}

await store([
  { action: 'by_owner', by: 'owner', at: '2026-03-01T10:00:00.000Z' },
  { action: 'by_key', by: 'key', at: '2026-03-01T10:00:00.001Z' },
  { action: 'by_namesake', by: 'namesake', at: '2026-03-01T11:00:00.000Z', entry_point: 'mcp' },
  { action: 'by_app', by: 'app', at: '2026-03-01T12:00:00.000Z', entry_point: 'mcp' },
  // Stored late: pages of a time go by time.
  { action: 'by_owner', by: 'owner', at: '2026-03-01T10:30:00.000Z' },
])
await store([{ action: 'hidden', by: 'owner', at: '2026-03-01T10:30:00.000Z' }], other.id)

test('a time range includes both of its ends, and is in the order of time', async () => {
  const cases: [Query, string[]][] = [
    [
      { from_timestamp: '2026-03-01T10:00:00.001Z', to_timestamp: '2026-03-01T12:00:00Z' },
      ['by_app', 'by_namesake', 'by_owner', 'by_key'],
    ],
    [{ to_timestamp: '2026-03-01T10:00:00.000Z' }, ['by_owner']],
    [
      { from_timestamp: '2026-03-01T11:30:00+01:00', to_timestamp: '2026-03-01T11:00:00Z' },
      ['by_namesake', 'by_owner'],
    ],
    [{ from_timestamp: '2026-03-02T00:00:00Z', to_timestamp: '2026-03-03T00:00:00Z' }, []],
  ]
  for (const [query, expected] of cases)
    assert.deepEqual(await actions(query), expected, JSON.stringify(query))
})

const march = { from_timestamp: '2026-03-01T00:00:00Z', to_timestamp: '2026-03-01T23:00:00Z' }

test('an actor is found by kind, name and key', async () => {
  const cases: [Query, string[]][] = [
    [{ actor_type: 'oauth_client' }, ['by_app']],
    [{ actor_type: 'api_key' }, ['by_namesake', 'by_key']],
    [{ actor_type: 'customer' }, ['by_owner', 'by_owner']],
    [{ actor_type: 'system' }, []],
    [{ actor_label: 'CI' }, ['by_namesake', 'by_key']],
    [{ actor_label: 'ci' }, []],
    [{ actor_label: "' or true; --" }, []],
    [{ actor_label: 'Travel Bot', actor_type: 'oauth_client' }, ['by_app']],
    [{ actor_label: 'Travel Bot', actor_type: 'api_key' }, []],
    [{ api_key_id: '7' }, ['by_key']],
    [{ api_key_id: '9007199254740991' }, []],
  ]
  for (const [query, expected] of cases)
    assert.deepEqual(await actions({ ...query, ...march }), expected, JSON.stringify(query))
  assert.deepEqual(await actions({ actor_label: 'CI' }), ['by_namesake', 'by_key'])
})

test('all filters can be combined', async () => {
  const all = { ...march, actor_type: 'api_key', actor_label: 'CI', api_key_id: '8' }
  assert.deepEqual(await actions({ ...all, action: 'by_namesake', entry_point: 'mcp' }), [
    'by_namesake',
  ])
  assert.deepEqual(await actions({ ...all, action: 'by_namesake', entry_point: 'rest' }), [])
  assert.deepEqual(await actions({ ...all, action: 'by_key' }), [])
})

test('invalid values are 422', async () => {
  const cases: [Query, string[]][] = [
    [
      { from_timestamp: '2026-03-02T00:00:00Z', to_timestamp: '2026-03-01T00:00:00Z' },
      ['from_timestamp'],
    ],
    [{ from_timestamp: '2026-03-01', to_timestamp: 'now' }, ['from_timestamp', 'to_timestamp']],
    [{ actor_type: 'robot' }, ['actor_type']],
    [{ actor_type: '' }, ['actor_type']],
    [{ api_key_id: '0' }, ['api_key_id']],
    [{ api_key_id: 'x' }, ['api_key_id']],
    [{ actor_label: 'x'.repeat(2_049) }, ['actor_label']],
  ]
  for (const [query, fields] of cases) {
    const { status, body, text } = await get(query)
    assert.equal(status, 422, `${JSON.stringify(query)} ${text}`)
    const found = body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))
    assert.deepEqual(
      found,
      fields.map((field) => `query.${field}`),
    )
  }
})

test('pages have each entry once, also beyond a window in which none matches', async () => {
  const noon = Date.parse('2026-05-01T12:00:00Z')
  await store(
    Array.from({ length: 4_100 }, (_, i): Deed => {
      const by = i % 1_500 === 0 ? 'app' : 'owner'
      return { action: `deed_${i}`, by, at: new Date(noon + i).toISOString() }
    }),
  )
  const seen: string[] = []
  const sizes: number[] = []
  const query = { from_timestamp: '2026-05-01T00:00:00Z', actor_type: 'oauth_client', limit: '1' }
  for (let cursor: string | null = null; ; ) {
    const answer: Answer = await get({ ...query, ...(cursor !== null && { cursor }) })
    const page = actionsOf(answer)
    seen.push(...page)
    sizes.push(page.length)
    cursor = answer.body.next_cursor
    if (cursor === null) break
  }
  assert.deepEqual(seen, ['deed_3000', 'deed_1500', 'deed_0'])
  assert.ok(sizes.length >= 3 && sizes.length <= 6, sizes.join())
  const day = { from_timestamp: '2026-05-01T00:00:00Z', to_timestamp: '2026-05-02T00:00:00Z' }
  const whole = await get({ ...day, limit: '500' })
  assert.equal(actionsOf(whole)[0], 'deed_4099')
  assert.equal(new Set(actionsOf(whole)).size, 500)
})

test('another account sees nothing of it, not even by a cursor of it', async () => {
  const theirs = `/v1/customers/${other.id}/audit-logs?actor_type=customer`
  const own = await registrar.request('GET', theirs, { token: other.key })
  assert.deepEqual(actionsOf(own), ['hidden'])
  assert.equal((await get({ actor_type: 'customer' }, other.key)).status, 404)
  const { body } = await get({ ...march, limit: '1' })
  const led = await registrar.request('GET', `${theirs}&cursor=${body.next_cursor}`, {
    token: other.key,
  })
  assert.deepEqual(actionsOf(led), ['hidden'])
})
