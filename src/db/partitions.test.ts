// Partitions by time: made a year ahead by the service's role, with grants as their parent has
// them; rows without a range are taken by the default partition and moved into theirs.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { app_role, newDatabase, testDatabase } from '../../test/support/database.ts'
import { newId } from '../kit/random.ts'
import { managePartitions, workerHealth } from '../tasks/index.ts'
import { migrate } from './migrate/migrate.ts'

const db = await testDatabase()
const denied = { code: '42501' }
const log = Object.assign(Object.create(null), { info: () => undefined, error: () => undefined })
const manage = () => managePartitions.run({ db: db.database, log })

async function names(parent: string): Promise<unknown[]> {
  const rows = await db.query('select name from partitions where parent = $1 order by ends_at', [
    parent,
  ])
  return rows.map(({ name }) => name)
}

/** Takes the newest partitions away, as if none had been made. */
async function dropNewest(parent: string, count: number): Promise<unknown[]> {
  const dropped = (await names(parent)).slice(-count)
  for (const name of dropped) {
    await db.query(`drop table ${name}`)
    await db.query('delete from partitions where name = $1', [name])
  }
  return dropped
}

const put = `
  with key as (
    insert into registry_message_keys (registry, msg_id, received_at)
    values ('thin', $1, now() + $2::interval) returning *)
  insert into registry_messages
    (id, received_at, registry, msg_id, text, kind, parsed, raw, recognized)
  select id, received_at, registry, msg_id, 'x', 'other', '{}', '', true from key`
const where = `select tableoid::regclass::text as name, id from registry_messages where msg_id = $1`

describe('partitions', () => {
  test('follow one another without a gap, up to a year ahead', async () => {
    const gaps = await db.query(
      `select name from (
         select name, parent, starts_at, lag(ends_at) over (partition by parent order by ends_at)
           as before from partitions) p where before is distinct from starts_at`,
    )
    assert.deepEqual(gaps, [])
    const ahead = await db.query(
      `select parent, max(ends_at) >= now() + interval '1 year' as enough from partitions
        group by parent`,
    )
    assert.ok(ahead.length > 0 && ahead.every(({ enough }) => enough === true))
    const bounds = await db.query(
      `select count(*)::int as ranges, (select count(*)::int from partitions) as rows
         from pg_class where relispartition and relkind = 'r'
          and pg_get_expr(relpartbound, oid) <> 'DEFAULT'`,
    )
    assert.equal(bounds[0]?.ranges, bounds[0]?.rows)
  })

  test('allow the service no more than their parent does', async () => {
    const all = await db.query(
      `select oid::regclass::text as name from pg_class where relispartition and relkind = 'r'`,
    )
    assert.ok(all.length >= 6)
    const app = new pg.Client(db.url)
    await app.connect()
    await app.query(`set role ${app_role}`)
    for (const { name } of all) {
      await assert.rejects(
        app.query(`insert into ${name} overriding system value select * from ${name}`),
        denied,
      )
      await assert.rejects(app.query(`delete from ${name}`), denied)
      await assert.rejects(app.query(`truncate ${name}`), denied)
      await assert.rejects(app.query(`drop table ${name}`), denied)
      const columns = await db.query(
        `select attname from pg_attribute
          where attrelid = $1::regclass and attnum > 0 and attidentity = ''`,
        [name],
      )
      const column = columns[0]?.attname
      await assert.rejects(app.query(`update ${name} set ${column} = ${column}`), denied)
    }
    await assert.rejects(app.query('update partitions set ends_at = now()'), denied)
    await assert.rejects(app.query(`select make_partitioned('partitions', true)`), denied)
    await app.end()
  })
})

describe('missing partitions', () => {
  test('are made by the service, by as many nodes as there are at once', async () => {
    const dropped = await dropNewest('registry_messages', 2)
    await Promise.all(Array.from({ length: 6 }, manage))
    assert.deepEqual((await names('registry_messages')).slice(-2), dropped)
  })

  test('are made while other sessions drop old ones, or make those of another table', async () => {
    const dropped = await dropNewest('registry_messages', 2)
    const other = new pg.Client(db.url)
    await other.connect()
    await other.query('begin')
    const turns = await other.query(
      `select partition_turn_taken('drop', 'registry_messages') as drops,
              partition_turn_taken('create', 'audit_logs') as creates`,
    )
    assert.deepEqual(turns.rows, [{ drops: true, creates: true }])
    await manage()
    await other.end()
    assert.deepEqual((await names('registry_messages')).slice(-2), dropped)
  })

  test('are made at a start', async () => {
    const dropped = await dropNewest('registry_messages', 1)
    await migrate({ url: db.url })
    assert.deepEqual((await names('registry_messages')).slice(-1), dropped)
  })

  test('take over the rows that the default partition took meanwhile', async () => {
    const healthy = await workerHealth(db.database)
    assert.doesNotMatch(healthy.detail ?? '', /registry_messages/)
    await dropNewest('registry_messages', 5)
    await db.query(put, ['late', '8 months'])
    const [before] = await db.query(where, ['late'])
    assert.equal(before?.name, 'registry_messages_default')
    assert.match(
      (await workerHealth(db.database)).detail ?? '',
      /registry_messages: rows are in the default partition; .*: no partition is made for half/,
    )
    await manage()
    const [after] = await db.query(where, ['late'])
    assert.match(String(after?.name), /^registry_messages_20\d\d_\d\d$/)
    assert.equal(after?.id, before?.id)
    assert.doesNotMatch((await workerHealth(db.database)).detail ?? '', /registry_messages/)
  })
})

describe('partitions that cannot be made at once', () => {
  test('wait while the default partition has more rows than may be moved', async () => {
    const dropped = await dropNewest('registry_messages', 5)
    for (const id of ['a', 'b', 'c']) await db.query(put, [id, '8 months'])
    const limited = `select partitions_create_next('registry_messages', 2) as name`
    for (;;)
      try {
        assert.notEqual((await db.query(limited))[0]?.name, null)
      } catch (error) {
        assert.match(String(error), /more than 2 rows of registry_messages_\S+ are in its default/)
        break
      }
    assert.equal((await db.query(where, ['b']))[0]?.name, 'registry_messages_default')
    await manage()
    assert.deepEqual((await names('registry_messages')).slice(-5), dropped)
    assert.notEqual((await db.query(where, ['b']))[0]?.name, 'registry_messages_default')
  })

  test('wait a second for a lock, and then for the next run', async () => {
    await dropNewest('registry_messages', 1)
    const reader = new pg.Client(db.url)
    await reader.connect()
    await reader.query('begin; select from registry_messages')
    const started = performance.now()
    const next = db.query(`select partitions_create_next('registry_messages')`)
    await assert.rejects(next, { code: '55P03' })
    assert.ok(performance.now() - started < 20_000)
    await reader.end()
    await manage()
  })
})

describe('partitions of ids', () => {
  test('begin with the first id of their first millisecond', async () => {
    const [range] = await db.query(
      `select name, starts_at, lag(name) over (order by ends_at) as before from partitions
        where parent = 'mails' order by ends_at desc limit 1`,
    )
    const starts = Number(range?.starts_at)
    const ids = [newId('mail', starts - 1), newId('mail', starts)]
    for (const id of ids)
      await db.query(
        `with key as (insert into mail_dedupe_keys values ($1, $1) returning *)
         insert into mails (id, kind, dedupe_key, recipient, subject, body)
         select mail_id, 'x', dedupe_key, 'a@example.com', 's', 'text' from key`,
        [id],
      )
    const places = await db.query(
      'select tableoid::regclass::text as name from mails where id = any ($1) order by id',
      [ids],
    )
    assert.deepEqual(
      places.map(({ name }) => name),
      [range?.before, range?.name],
    )
  })
})

describe('partitions of another length', () => {
  for (const months of [12, 1])
    test(`follow quarters: of ${months} months from then on`, async (t) => {
      const client = new pg.Client(await newDatabase('template_of_tests'))
      await client.connect()
      t.after(() => client.end())
      const all = async () =>
        (await client.query(`select * from partitions where parent = 'mails' order by ends_at`))
          .rows
      // As if the newest were the first quarter of a year.
      for (const { name, ends_at } of (await all()).reverse()) {
        if (ends_at.getUTCMonth() === 3) break
        await client.query(`drop table ${name}`)
        await client.query('delete from partitions where name = $1', [name])
      }
      await client.query(`update partitioned_tables set months = $1 where name = 'mails'`, [months])
      const make = `select partitions_create_next('mails') as name`
      while ((await client.query(make)).rows[0].name !== null);
      const made = await all()
      for (const [i, { starts_at }] of made.entries())
        assert.deepEqual(starts_at, made[i - 1]?.ends_at ?? null)
      assert.ok(made.at(-1).ends_at.getTime() > Date.now() + 364 * 86_400_000)
    })
})

describe('old partitions', () => {
  test('are dropped when they are over and empty, and only then', async () => {
    const url = await newDatabase('template_of_tests')
    const old = new pg.Client(url)
    await old.connect()
    const before = await old.query(
      `update partitions set ends_at = ends_at - interval '3 years'
        where parent = 'registry_messages' and starts_at is null returning name`,
    )
    const drop = `select partitions_drop_empty('registry_messages') as name`
    await old.query(put, ['kept', '0'])
    assert.equal((await old.query(drop)).rows[0].name, null)
    await old.query('delete from registry_message_keys')
    assert.equal((await old.query(drop)).rows[0].name, before.rows[0].name)
    assert.equal((await old.query(drop)).rows[0].name, null, 'the others are not over')
    assert.equal((await old.query(`select partitions_drop_empty('audit_logs') n`)).rows[0].n, null)
    await old.end()
  })
})
