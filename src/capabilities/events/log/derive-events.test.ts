// Deriving events: every audit row once and in the order of its transactions, however late one
// commits, with many nodes at once, and over the eras of the log.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts'
import type { AuditFacts } from '../../../app.ts'
import { systemClock } from '../../../kit/clock.ts'
import { storeAuditRow, systemAuditRow } from '../../audit/index.ts'
import { deriveEvents } from './derive-events.job.ts'
import { eventRange, purgeEvents } from './events.sql.ts'

const parts = { log: pino({ level: 'silent' }), clock: systemClock }

function lockRow(n: number, facts: Partial<AuditFacts> = {}) {
  const now = new Date(1_790_000_000_000 + n)
  return systemAuditRow(
    { action: 'lock_domain', agent_identifier: 'test', now },
    { target_type: 'domain', target: `d${n}.com`, customer_id: 'cus_a', ...facts },
  )
}

async function write(db: TestDatabase, numbers: readonly number[]): Promise<void> {
  await db.database.transaction(async (sql) => {
    for (const n of numbers) await storeAuditRow(sql, lockRow(n))
  })
}

/** Transactions of other databases on the server withhold rows for a moment. */
async function deriveAll(db: TestDatabase, wanted: number): Promise<Record<string, unknown>[]> {
  for (let turn = 0; turn < 400; turn += 1) {
    await deriveEvents({ ...parts, db: db.database })
    const events = await db.query('select * from events order by pos')
    if (events.length >= wanted) return events
    await sleep(10)
  }
  return assert.fail(`not ${wanted} events`)
}

it('makes one event of each row, numbered without a gap', async () => {
  const db = await testDatabase()
  await write(db, [1, 2, 3])
  const events = await deriveAll(db, 3)
  assert.deepEqual(
    events.map(({ pos, type, subject_id }) => [pos, type, subject_id]),
    [
      [1n, 'domain.locked', 'd1.com'],
      [2n, 'domain.locked', 'd2.com'],
      [3n, 'domain.locked', 'd3.com'],
    ],
  )
  const rows = await db.query('select id from audit_logs order by id')
  assert.deepEqual(
    events.map(({ audit_log_id }) => audit_log_id),
    rows.map(({ id }) => id),
  )
  assert.deepEqual(await deriveEvents({ ...parts, db: db.database }), { more: false, events: 0 })
})

it('skips no row of a transaction that is open for seconds while others commit', async () => {
  const db = await testDatabase()
  const slow = new pg.Client({ connectionString: db.url })
  await slow.connect()
  await slow.query('begin')
  await slow.query('select audit_append($1::jsonb)', [JSON.stringify(lockRow(1))])
  const until = Date.now() + 2_500
  for (let n = 2; Date.now() < until; n += 1) {
    await write(db, [n])
    const { events } = await deriveEvents({ ...parts, db: db.database })
    assert.equal(events, 0, 'rows that committed meanwhile wait for the open one')
    await sleep(50)
  }
  await slow.query('commit')
  await slow.end()
  const [rows] = await db.query('select count(*)::int as rows from audit_logs')
  const events = await deriveAll(db, Number(rows?.rows))
  assert.equal(events[0]?.subject_id, 'd1.com', 'its transaction began first')
  assert.equal(events.length, rows?.rows)
})

it('derives each row once with eight nodes at it while sixteen writers commit', async () => {
  const db = await testDatabase({ pool_size: 24 })
  let writing = true
  const node = async () => {
    while (writing) await deriveEvents({ ...parts, db: db.database })
  }
  const writer = async (_one: unknown, at: number) => {
    for (let i = 0; i < 10; i += 1) await write(db, [at * 100 + i, at * 100 + 50 + i])
  }
  const nodes = Array.from({ length: 8 }, node)
  await Promise.all(Array.from({ length: 16 }, writer))
  writing = false
  await Promise.all(nodes)
  const events = await deriveAll(db, 320)
  assert.equal(events.length, 320)
  assert.equal(new Set(events.map(({ audit_log_id }) => audit_log_id)).size, 320)
  assert.deepEqual(
    events.map(({ pos }) => Number(pos)),
    Array.from({ length: 320 }, (_one, n) => n + 1),
  )
})

it('goes on in a new era, where the transaction counter began again', async () => {
  const db = await testDatabase()
  await write(db, [1])
  await deriveAll(db, 1)
  // As after a restore onto a younger cluster: the rows there are have transactions to come.
  await db.query('update audit_logs set xid = (xid::text::bigint + 1000000)::text::xid8')
  await db.query('update event_cursor set xid = (xid::text::bigint + 1000000)::text::xid8')
  await write(db, [2])
  assert.equal(
    (await deriveEvents({ ...parts, db: db.database })).events,
    0,
    'before the era begins',
  )
  await db.query('insert into audit_eras (era, first_id) select 2, max(id) from audit_logs')
  const events = await deriveAll(db, 2)
  assert.deepEqual(
    events.map(({ subject_id }) => subject_id),
    ['d1.com', 'd2.com'],
  )
})

it('passes over rows without a customer, refusals and repeated requests', async () => {
  const db = await testDatabase()
  await db.database.transaction(async (sql) => {
    await storeAuditRow(sql, lockRow(1, { customer_id: null }))
    await storeAuditRow(sql, lockRow(2, { result: 'denied' }))
    await storeAuditRow(sql, lockRow(3, { result: 'failed' }))
    await storeAuditRow(sql, lockRow(4, { metadata: { repeated: true } }))
    await storeAuditRow(sql, lockRow(5, { action: 'register_domain', result: 'failed' }))
    await storeAuditRow(sql, lockRow(6))
  })
  const events = await deriveAll(db, 1)
  assert.deepEqual(
    events.map(({ subject_id }) => subject_id),
    ['d6.com'],
  )
})

it('an event stays below 20 kB whatever its row holds', async () => {
  const db = await testDatabase()
  const nameservers = Array.from({ length: 500 }, () => 'x'.repeat(4_000))
  const facts = { action: 'update_nameservers', metadata: { nameservers, before: nameservers } }
  await db.database.transaction((sql) => storeAuditRow(sql, lockRow(1, facts)))
  const [event] = await deriveAll(db, 1)
  assert.ok(JSON.stringify(event?.data).length < 20_000)
})

it('retention keeps the newest place that it deleted', async () => {
  const db = await testDatabase()
  await write(db, [1, 2, 3])
  await deriveAll(db, 3)
  const before = new Date(1_790_000_000_000 + 3)
  assert.equal((await db.database.one(purgeEvents, { before, limit: 10 })).purged, 2n)
  assert.equal((await db.database.one(purgeEvents, { before, limit: 10 })).purged, 0n)
  assert.deepEqual(await db.database.one(eventRange), { newest: 3n, purged: 2n })
})
