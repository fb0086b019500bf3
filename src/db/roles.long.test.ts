// The restrictions of the service's role, on the embedded PostgreSQL and on the oldest supported.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { app_role, newDatabase } from '../../test/support/database.ts'
import { serverAccount } from './embedded/system-account.ts'
import { InspectionRefused, openInspection } from './inspection/inspection.ts'
import { migrate } from './migrate/migrate.ts'

const denied = { code: '42501' }

/** Connects, and sets the role where one is given. */
async function connect(url: string, role?: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  if (role !== undefined) await client.query(`set role ${role}`)
  return client
}

async function proveRoles(url: string): Promise<void> {
  const owner = await connect(url)
  const app = await connect(url, app_role)
  const inspector = await connect(url, 'agent_registrar_inspector')
  try {
    await owner.query(`
      create table book (id bigserial, entry text); create table page (id int);
      create table vault (id int);
      create table log (id int default 7, line text);
      create function secret() returns int language sql as 'select 1';
      select make_append_only('book'); select make_append_only('vault', false);
      select withhold_columns('log', defaults => '{id}'); alter table log add more text`)
    await app.query(`insert into book (entry) values ('one')`)
    assert.equal((await app.query('select entry from book')).rows.length, 1)
    await app.query('insert into page values (1); update page set id = 2; delete from page')
    await assert.rejects(app.query(`update book set entry = 'two'`), denied)
    await assert.rejects(app.query('delete from book'), denied)
    await assert.rejects(app.query('truncate book'), denied)
    await assert.rejects(app.query('insert into vault values (1)'), denied)
    await assert.rejects(app.query(`insert into log (id, line) values (1, 'a')`), denied)
    await app.query(`insert into log (line) values ('a')`)
    await assert.rejects(app.query('delete from log'), denied)
    await assert.rejects(app.query(`insert into log (more) values ('a')`), denied)
    await owner.query('select prepare_roles()')
    await app.query(`insert into log (more) values ('a')`)
    await assert.rejects(app.query('insert into log (id) values (1)'), denied)
    await assert.rejects(app.query('truncate page'), denied)
    await assert.rejects(app.query('create table mine (id int)'), denied)
    await assert.rejects(app.query('create temp table mine (id int)'), denied)
    await assert.rejects(app.query('drop table page'), denied)
    await assert.rejects(app.query('alter table book disable trigger all'), denied)
    await assert.rejects(app.query('delete from schema_migrations'), denied)
    await assert.rejects(app.query('delete from append_only_tables'), denied)
    await assert.rejects(app.query(`select make_append_only('page')`), denied)
    await assert.rejects(app.query(`select withhold_columns('page', '{}')`), denied)
    await assert.rejects(app.query(`select withhold_columns('page', null, '{}')`), denied)
    await assert.rejects(app.query(`select grant_columns('log', 'insert', '{}')`), denied)
    await assert.rejects(inspector.query('select entry from book'), denied)
    await assert.rejects(inspector.query('select secret()'), denied)
    assert.equal((await app.query('select secret()')).rows.length, 1)
  } finally {
    await Promise.all([owner.end(), app.end(), inspector.end()])
  }
}

/** By the users of these URLs, the first that may work in its role. */
async function proveInspection(...urls: string[]): Promise<void> {
  const inspection = openInspection({ urls })
  const texts = (query: string) => inspection.read((sql) => sql.texts(query))
  assert.deepEqual(await texts('select current_user::text'), [['agent_registrar_inspector']])
  assert.deepEqual(await texts('select id, email from customers'), [])
  await assert.rejects(texts('select hash from passwords'), denied)
  await assert.rejects(texts('select * from sessions'), denied)
  await inspection.close()
}

type AppendOnly = {
  name: string
  may_insert: boolean
  is_partition: boolean
  fixed: string[]
  defaults: string[]
}

/**
 * Every append-only table and its partitions; `fixed`: columns that may not be updated, `defaults`:
 * that may not be inserted.
 */
const appendOnly = `
  select part.relid::regclass::text as name, a.may_insert, not part.is_root as is_partition,
         coalesce(a.default_columns, '{}')::text[] as defaults,
         (select array_agg(quote_ident(c.attname)::text) from pg_attribute c
           where c.attrelid = part.relid and c.attnum > 0 and not c.attisdropped
             and c.attgenerated = '' and c.attidentity = ''
             and c.attname = any (coalesce(a.fixed_columns, array[c.attname]))) as fixed
    from append_only_tables a
   cross join lateral (
     select a.name::regclass as relid, true as is_root
     union all
     select relid, false from pg_partition_tree(a.name::regclass)
      where relid <> a.name::regclass) part
   order by 1`

/** A user who owns the database, as a managed PostgreSQL gives one. */
async function ownedDatabase(admin: string, name: string, rights: string): Promise<string> {
  const client = await connect(admin)
  await client.query(`create role ${name} login ${rights}`)
  await client.query(`create database ${name} owner ${name} template template0`)
  await client.end()
  const url = new URL(admin)
  url.username = name
  url.pathname = `/${name}`
  return url.href
}

describe('roles on the embedded PostgreSQL', () => {
  test('the service may not rewrite the ledger, nor create objects', async () => {
    const url = await newDatabase('template0')
    assert.equal((await migrate({ url })).roles, 'ready')
    await proveRoles(url)
  })

  test('refuses the service what append-only tables refuse, each of them and each partition', async () => {
    const url = await newDatabase('template_of_tests')
    const owner = await connect(url)
    const app = await connect(url, app_role)
    // Its own rows may be anything: a privilege is checked before any of them is looked at.
    const { rows: tables } = await owner.query<AppendOnly>(appendOnly)
    assert.ok(tables.length >= 8, `${tables.length} tables`)
    const allowed: string[] = []
    const refusedWith = async (text: string) => {
      const code = await app.query(`${text}`).then(
        () => 'done',
        (error: unknown) => (error instanceof pg.DatabaseError ? error.code : String(error)),
      )
      if (code !== denied.code) allowed.push(`${text}: ${code}`)
    }
    for (const { name, may_insert, is_partition, fixed, defaults } of tables) {
      await refusedWith(`delete from ${name} where false`)
      await refusedWith(`truncate ${name}`)
      for (const column of fixed) await refusedWith(`update ${name} set ${column} = ${column}`)
      for (const column of defaults)
        await refusedWith(
          `insert into ${name} (${column}) overriding system value select ${column} from ${name}`,
        )
      if (!may_insert || is_partition) await refusedWith(`insert into ${name} default values`)
      else
        assert.equal(
          (
            await owner.query(`select has_any_column_privilege($1, $2, 'insert') as may`, [
              app_role,
              name,
            ])
          ).rows[0]?.may,
          true,
          name,
        )
    }
    assert.deepEqual(allowed, [])
    assert.deepEqual(tables.find(({ name }) => name === 'audit_logs')?.defaults, ['id', 'xid'])
    await Promise.all([owner.end(), app.end()])
  })

  test('an owner who may make roles needs no superuser', async () => {
    const url = await ownedDatabase(await newDatabase('template0'), 'managed_18', 'createrole')
    // This cluster has the roles already, made by its superuser, and only it may grant them.
    assert.equal((await migrate({ url })).roles, 'missing')
  })

  test('grants that a restored dump lost are made again; other revoked ones stay so', async () => {
    const url = await newDatabase('template0')
    await migrate({ url })
    const owner = await connect(url)
    await owner.query('create table kept (id int); revoke delete on kept from agent_registrar_app')
    assert.equal((await migrate({ url })).roles, 'ready')
    const may = `select has_table_privilege('agent_registrar_app', 'kept', 'delete') as may`
    assert.deepEqual((await owner.query(may)).rows, [{ may: false }])
    await owner.query('drop owned by agent_registrar_app')
    await migrate({ url })
    assert.deepEqual((await owner.query(may)).rows, [{ may: true }])
    const inserts = await owner.query(
      `select attname from pg_attribute
        where attrelid = 'audit_logs'::regclass and attnum > 0
          and not has_column_privilege('agent_registrar_app', attrelid, attnum, 'insert')
        order by attnum`,
    )
    assert.deepEqual(inserts.rows, [{ attname: 'id' }, { attname: 'xid' }])
    await owner.end()
  })
})

const old = '/usr/lib/postgresql/15/bin'
const skip = existsSync(old) ? false : 'No PostgreSQL 15 on this machine.'

describe('roles on PostgreSQL 15', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'pg15-'))
  const account = serverAccount()
  if (account) chownSync(folder, account.uid, account.gid)
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(old, program), args, { cwd: folder, stdio: 'ignore', ...account })
  const data = join(folder, 'data')
  const admin = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`

  after(() => {
    run('pg_ctl', 'stop', '-D', data, '-m', 'immediate')
    rmSync(folder, { recursive: true })
  })

  test('superuser, role maker and plain owner each get what they may', async () => {
    run('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--no-sync')
    const flags = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off`
    run('pg_ctl', 'start', '-w', '-D', data, '-l', join(folder, 'log'), '-o', flags)
    const plain = await ownedDatabase(admin, 'plain', '')
    assert.equal((await migrate({ url: plain })).roles, 'missing')
    const maker = await ownedDatabase(admin, 'maker', 'createrole')
    assert.equal((await migrate({ url: maker })).roles, 'ready')
    await proveRoles(maker)
    await proveInspection(maker)
    // As APP_DATABASE_URL, whose user has no roles, comes before DATABASE_URL.
    const other = maker.replace('maker@', 'plain@')
    await proveInspection(other, maker)
    const refused = openInspection({ urls: [other] })
    await assert.rejects(
      refused.read((sql) => sql.texts('select 1')),
      (error) => error instanceof InspectionRefused,
    )
    await refused.close()
    assert.equal((await migrate({ url: admin })).roles, 'ready')
    await proveRoles(admin)
    await proveInspection(admin)
    const client = await connect(plain.replace('plain@', 'postgres@'))
    await client.query('grant agent_registrar_app, agent_registrar_inspector to plain')
    await client.end()
    assert.equal((await migrate({ url: plain })).roles, 'ready', 'given by hand, taken up')
    await proveRoles(plain)
  })
})
