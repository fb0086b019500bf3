// The role of the inspection: exactly the columns of its list, no secret by any query, no writing,
// and no statement beyond its limits.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { testDatabase } from '../../../test/support/database.ts'
import { migrate } from '../migrate/migrate.ts'
import {
  type Inspection,
  InspectionRefused,
  InspectionTimedOut,
  openInspection,
} from './inspection.ts'

const role = 'agent_registrar_inspector'
const db = await testDatabase()
const inspection = openInspection({ urls: [db.url], timeout_ms: 1_000 })
after(() => inspection.close())
const texts = (query: string, by: Inspection = inspection) => by.read((sql) => sql.texts(query))
const codeOf = (error: unknown): string | undefined => {
  if (error instanceof pg.DatabaseError) return error.code
  return error instanceof Error ? codeOf(error.cause) : undefined
}
const refused = (query: string, code = '42501') =>
  assert.rejects(texts(query), (error) => codeOf(error) === code, query)

type Listed = { shown: readonly unknown[]; secret: readonly unknown[] }
type Column = { relation: string; name: string; granted: boolean }

const namesOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

async function listed(): Promise<Map<string, Listed>> {
  const rows = await db.query(`select relation::text, shown::text[] as shown,
                                      secret::text[] as secret from inspector_columns()`)
  return new Map(
    rows.map(({ relation, shown, secret }) => [
      String(relation),
      { shown: namesOf(shown), secret: namesOf(secret) },
    ]),
  )
}

/** The names of all tables and views, or of their partitions. */
async function columnsOf(isPartition: boolean): Promise<Column[]> {
  const rows = await db.query(
    `select c.relname::text as relation, a.attname::text as name,
            has_column_privilege($1, c.oid, a.attnum, 'select') as granted
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
        and a.attnum > 0 and not a.attisdropped and c.relispartition = $2`,
    [role, isPartition],
  )
  return rows.map(({ relation, name, granted }) => ({
    relation: String(relation),
    name: String(name),
    granted: granted === true,
  }))
}

describe('the columns that the role may read', () => {
  test('every column of every table and view is granted, or listed as secret', async () => {
    const list = await listed()
    const columns = await columnsOf(false)
    assert.ok(columns.length > 600, `${columns.length} columns`)
    const unknown = columns.filter(({ relation, name }) => {
      const { shown = [], secret = [] } = list.get(relation) ?? {}
      return shown.includes(name) === secret.includes(name)
    })
    assert.deepEqual(
      unknown.map(({ relation, name }) => `${relation}.${name}`),
      [],
      'add them to one of the two lists of inspector_columns() in functions/customer-tool.sql',
    )
    const wrong = columns.filter(
      ({ relation, name, granted }) => list.get(relation)?.shown.includes(name) !== granted,
    )
    assert.deepEqual(wrong, [])
  })

  test('the list names nothing that is not there', async () => {
    const known = new Set(
      (await columnsOf(false)).map(({ relation, name }) => `${relation}.${name}`),
    )
    const named = [...(await listed())].flatMap(([relation, { shown, secret }]) =>
      [...shown, ...secret].map((name) => `${relation}.${name}`),
    )
    assert.deepEqual(
      named.filter((one) => !known.has(one)),
      [],
    )
    assert.equal(new Set(named).size, named.length)
  })

  test('nothing that is named like a secret is granted', async () => {
    const columns = await columnsOf(false)
    const secret = /hash|digest|sealed|secret|password$|token|_mac$|challenge|fingerprint|payload/
    // A flag, the contract of a stablecoin, and a block of a public chain.
    const tokens = ['x402_offers.token', 'x402_authorizations.token']
    const harmless = ['mails.sealed', ...tokens, 'checkout_payments.block_hash']
    const open = columns
      .filter(({ name, granted }) => granted && secret.test(name))
      .map(({ relation, name }) => `${relation}.${name}`)
    assert.deepEqual(open.sort(), harmless.sort())
  })
})

describe('partitions, views and grants', () => {
  test('partitions are read through their table alone, also those to come', async () => {
    const before = await columnsOf(true)
    assert.ok(before.length > 50)
    assert.deepEqual(
      before.filter(({ granted }) => granted),
      [],
    )
    await db.query(`create table audit_logs_later partition of audit_logs
                      for values from ('2900-01-01') to ('2900-04-01')`)
    await db.query('select prepare_roles()')
    const later = await columnsOf(true)
    assert.ok(later.length > before.length)
    assert.deepEqual(
      later.filter(({ granted }) => granted),
      [],
    )
    await refused('select id from audit_logs_later')
    await texts('select id from audit_logs')
  })

  test('every view runs with the rights of its reader', async () => {
    const views = await db.query(
      `select relname::text as name, coalesce('security_invoker=true' = any (reloptions), false)
                as is_safe
         from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')`,
    )
    assert.ok(views.length >= 3)
    assert.deepEqual(
      views.filter(({ is_safe }) => !is_safe),
      [],
    )
  })

  test('a start takes back what was granted by hand, and closes a column that is new', async () => {
    await db.query(`alter table customers add nickname text;
      grant select on passwords to ${role}; grant select on sessions to public;
      revoke select (name) on customers from ${role}`)
    assert.deepEqual(await texts('select hash from passwords'), [])
    assert.equal((await migrate({ url: db.url })).roles, 'ready')
    await refused('select hash from passwords')
    await refused('select token_hash from sessions')
    await refused('select nickname from customers')
    await texts('select name from customers')
    await texts('select agent from sessions')
    await db.query('alter table customers drop nickname')
  })
})

describe('a query of the role', () => {
  test('selects no secret, however it asks', async () => {
    for (const query of [
      'select * from api_keys',
      'select key_hash from api_keys',
      'select id from api_keys order by key_hash',
      'select id from api_keys where key_hash is null',
      'select count(key_hash) from api_keys',
      'select a from api_keys a',
      'select to_jsonb(a) from api_keys a',
      'select (a).key_hash from api_keys a',
      'select last_error from tasks_dead',
      'select body from mails',
      'select 1 from passwords where exists (select from sessions s where s.token_hash is null)',
      'table passwords',
    ])
      await refused(query)
  })

  test('calls no function of the service, reads no file and no setting of a secret', async () => {
    await refused('select orders_place(null)')
    await refused(`select provider_client_of('x')`)
    await refused(`select inspector_columns()`)
    await refused('select prepare_roles()')
  })

  test('changes nothing, and cannot become a transaction that writes', async () => {
    for (const query of [
      `insert into customers (id) values ('x')`,
      `update customers set name = 'x'`,
      'delete from customers',
      'create temp table mine (id int)',
      'create table mine (id int)',
      'select id from customers for update',
    ])
      await assert.rejects(texts(query), (error) => /^(25006|42501)$/.test(codeOf(error) ?? ''))
    // A transaction that has begun to read cannot become one that writes.
    await assert.rejects(
      inspection.read(async (sql) => {
        await sql.texts('select 1')
        await sql.texts('set transaction read write')
      }),
      (error) => codeOf(error) === '25001',
    )
  })

  test('is one statement', async () => {
    await refused('select 1; select 2', '42601')
  })

  test('has every value as exact text', async () => {
    const [row] = await texts(`select 9223372036854775807::bigint::text, 1e400::numeric::text,
      0.1::float8::text, '{"a": 1, "a": 2, "b": 12345678901234567890}'::json::text,
      '\\x00ff'::bytea::text, '2026-11-23 03:04:05.678901+05'::timestamptz::text,
      '1 year 2 days 03:00'::interval::text, array['a', null, 'b,c']::text[]::text,
      '[2026-01-01,2026-02-01)'::daterange::text, null::text, true::text`)
    assert.deepEqual(row, [
      '9223372036854775807',
      `1${'0'.repeat(400)}`,
      '0.1',
      '{"a": 1, "a": 2, "b": 12345678901234567890}',
      '\\x00ff',
      '2026-11-22 22:04:05.678901+00',
      'P1Y2DT3H',
      '{a,NULL,"b,c"}',
      '[2026-01-01,2026-02-01)',
      null,
      'true',
    ])
  })
})

describe('the limits of a reading', () => {
  const isTimedOut = (error: unknown) => error instanceof InspectionTimedOut

  test('end a slow statement, and the next reading works', async () => {
    await assert.rejects(texts('select pg_sleep(5)'), isTimedOut)
    assert.deepEqual(await texts('select 1::text'), [['1']])
  })

  test('end one that waits for a lock', async () => {
    const owner = new pg.Client(db.url)
    await owner.connect()
    await owner.query('begin; lock table customers in access exclusive mode')
    await assert.rejects(texts('select id from customers'), isTimedOut)
    await owner.end()
  })

  test('end one that needs more temporary files than it may', async () => {
    const patient = openInspection({ urls: [db.url], timeout_ms: 20_000 })
    const sorted = `select repeat(i::text, 200) from generate_series(1, 400000) i
                     order by 1 offset 9`
    await assert.rejects(texts(sorted, patient), isTimedOut)
    await patient.close()
  })

  test('are a small pool: a fourth reading waits for one of three', async () => {
    const pids = await Promise.all(
      Array.from({ length: 9 }, () =>
        inspection.read(async (sql) => {
          await sql.texts('select pg_sleep(0.02)')
          return sql.texts('select pg_backend_pid()::text')
        }),
      ),
    )
    assert.ok(new Set(pids.flat(2)).size <= 3)
  })
})

describe('a user who may not work in the role', () => {
  test('is refused, and the next URL is tried', async () => {
    await db.query(`create role plain_user login password 'x';
                    grant connect on database ${new URL(db.url).pathname.slice(1)} to plain_user`)
    const url = new URL(db.url)
    url.username = 'plain_user'
    const alone = openInspection({ urls: [null, url.href] })
    await assert.rejects(texts('select 1', alone), (error) => error instanceof InspectionRefused)
    const both = openInspection({ urls: [url.href, db.url] })
    assert.deepEqual(await texts('select current_user::text', both), [[role]])
    await Promise.all([alone.close(), both.close()])
  })

  test('is tried again, once the role can be used', async () => {
    await db.query('create role late_user login')
    const url = new URL(db.url)
    url.username = 'late_user'
    const late = openInspection({ urls: [url.href] })
    await assert.rejects(texts('select 1', late), (error) => error instanceof InspectionRefused)
    await db.query(`grant ${role} to late_user with inherit false, set true`)
    assert.deepEqual(await texts('select current_user::text', late), [[role]])
    await late.close()
  })
})

test('closing it ends its connections', async () => {
  const closed = openInspection({ urls: [db.url] })
  const [[pid] = []] = await texts('select pg_backend_pid()', closed)
  const backends = () => db.query('select pid from pg_stat_activity where pid = $1', [pid])
  assert.equal((await backends()).length, 1)
  await closed.close()
  await assert.rejects(texts('select 1', closed), /after calling end/)
  // The server takes a moment to end a backend whose client has left.
  while ((await backends()).length > 0) await db.query('select pg_sleep(0.01)')
})
