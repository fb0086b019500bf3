// Writes of a daily sync of 50,000 holdings that finds nothing new: the statements of the job in
// their order, without a registry.
import { storeReadingsOfMany } from '../src/capabilities/domains/holdings/sync.sql.ts'
import {
  enqueueDailySync,
  holdingsOfRound,
} from '../src/capabilities/domains/holdings/sync-domains.sql.ts'
import { type Database, openDatabase } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate/migrate.ts'
import { json } from '../src/db/statement.ts'
import { claimTasks, completeTask } from '../src/tasks/tasks.sql.ts'
import { runBench } from './support/bench.ts'
import { type BenchDatabase, startDatabase } from './support/database.ts'
import { say, sayMachine, shown } from './support/report.ts'

const count = 50_000
const most = 200
const registry = 'thin'

async function makeHoldings(db: BenchDatabase): Promise<void> {
  await db.query(
    `insert into customers (id, email, name, created_at, updated_at)
     values ('cus_' || repeat('0', 26), 'a@example.com', 'A', now(), now())`,
  )
  await db.query(
    `insert into domains (name, customer_id, order_id, registry, expiry, registry_expiry,
        nameservers, period_years, epp_statuses, rgp_statuses, contacts, registered_at)
      select 'bench-' || n || '.com', 'cus_' || repeat('0', 26), 'ord_' || lpad(n::text, 26, '0'),
             '${registry}', now() + interval '1 year', now() + interval '1 year',
             '{ns1.example.net,ns2.example.net}', 1, '{ok}', '{}',
             '{"registrant":1,"admin":1,"technical":1,"billing":1}', now()
        from generate_series(1, ${count}) n`,
  )
  await db.query('update domain_schedules set sync_at = null')
  await db.query('vacuum (full, analyze) domains')
  await db.query('vacuum (full, analyze) domain_schedules')
}

/** Runs all slots of the day before `now`, and returns how many holdings were read. */
async function syncDay(sql: Database, now: Date): Promise<number> {
  let read = 0
  for (;;) {
    const { enqueued } = await sql.one(enqueueDailySync, { registry, now, most })
    const claim = { kind: 'sync_domains', bulkhead: registry, lease_token: 't', lease_ms: 60_000 }
    const tasks = await sql.run(claimTasks, { ...claim, now: null, limit: 10 })
    for (const { id, version, payload } of tasks) {
      const { after_slot, after_id, last_slot, last_id } = Object(payload)
      const due = await sql.run(holdingsOfRound, {
        ...{ registry, read_by: new Date(now.getTime() - 3_600_000), after_slot, last_slot },
        ...{ after_id: BigInt(after_id), last_id: BigInt(last_id) },
      })
      const readings = due.map((holding) => ({
        id: String(holding.id),
        registry_expiry: holding.registry_expiry,
        nameservers: holding.nameservers,
        epp_statuses: holding.epp_statuses,
        rgp_statuses: holding.rgp_statuses,
        synced_at: now,
        sync_at: null,
        pending_transfer: false,
        deleted: false,
        deleted_at: null,
        seen: holding.updated_at,
        seen_synced_at: holding.synced_at,
      }))
      read += (await sql.run(storeReadingsOfMany, { batch: json(readings) })).length
      await sql.maybe(completeTask, { id, version, lease_token: 't' })
    }
    if (tasks.length === 0 && enqueued === 0) return read
  }
}

const tables = ['domains', 'domain_schedules', 'tasks', 'sync_rounds']

async function figures(db: BenchDatabase) {
  await db.query(`select pg_stat_force_next_flush()::text`)
  const rows = await db.query(
    `select s.relname as name, s.n_tup_upd::int as updated, s.n_tup_hot_upd::int as hot,
            pg_total_relation_size(s.relid)::float8 as bytes
       from pg_stat_user_tables s where s.relname in ('${tables.join("', '")}') order by 1`,
  )
  const [wal = {}] = await db.query(
    `select wal_records::float8 as records, wal_fpi::float8 as images,
            pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes from pg_stat_wal`,
  )
  return { rows, wal }
}

await runBench(async (bench) => {
  const db = await startDatabase(bench)
  await migrate({ url: db.url })
  const sql = await openDatabase({ url: db.url })
  bench.atEnd(() => sql.close())
  sayMachine(`The sync of ${shown(count)} holdings that finds nothing new`, db.words)
  await makeHoldings(db)
  const day = (n: number) => new Date(Date.now() + n * 86_400_000)
  // The first pass after a checkpoint writes images of whole pages, but the second does not.
  await db.query('checkpoint')
  await syncDay(sql, day(1))
  const before = await figures(db)
  const start = performance.now()
  const read = await syncDay(sql, day(2))
  const seconds = (performance.now() - start) / 1000
  const after = await figures(db)
  if (read !== count) throw new Error(`${read} holdings were read`)
  for (const [i, table] of after.rows.entries()) {
    const known = before.rows[i] ?? {}
    const updated = Number(table.updated) - Number(known.updated)
    const hot = Number(table.hot) - Number(known.hot)
    const grown = Number(table.bytes) - Number(known.bytes)
    say(
      `  ${table.name}: ${shown(updated)} updates, ${shown(hot)} HOT; ` +
        `${shown(Number(table.bytes) / 1e6)} MB, ${shown(grown / 1e6)} MB more`,
    )
  }
  const wal = Number(after.wal.bytes) - Number(before.wal.bytes)
  const images = Number(after.wal.images) - Number(before.wal.images)
  say(
    `  WAL: ${shown(wal / count)} bytes per holding, ${shown(images)} page images; ` +
      `${shown((seconds * 1e6) / count)} us per holding`,
  )
})
