// The scripts and settings of deploy/postgres, run as the image would: a primary, and a standby
// that it waits for. A commit is on both; without the standby it does not end, until an operator
// decides to go on with one copy, by the commands of docs/production/postgresql.md.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { serverAccount } from '../../../src/db/embedded/system-account.ts'
import { freePort } from '../../../src/kit/net/free-port.ts'
import { newFolder, programs, run, skipPostgres } from './debian-postgres.fixture.ts'
import { documentedLines } from './documented-lines.fixture.ts'
import { folder as deploy, textOf } from './read-deploy.fixture.ts'

const account = serverAccount()
const children: ChildProcess[] = []
after(async () => {
  for (const child of children) {
    const ended = once(child, 'close')
    child.kill('SIGQUIT')
    await ended
  }
})

const secrets = {
  registrar_password: "it's",
  replication_password: 'rep pw',
  postgres_password: 'p',
}

/**
 * The two scripts, their secrets and the settings, sized for a test, where the account may read.
 */
function prepared(folder: string): { config: (port: number) => string } {
  cpSync(join(deploy, 'postgres'), folder, { recursive: true })
  for (const [name, value] of Object.entries(secrets)) writeFileSync(join(folder, name), value)
  return {
    config(port) {
      const path = join(folder, `${port}.conf`)
      const small = `shared_buffers = 16MB\nport = ${port}\nlisten_addresses = '127.0.0.1'
        unix_socket_directories = '${folder}'\nmax_slot_wal_keep_size = 64MB\nmax_wal_size = 64MB`
      writeFileSync(path, `${textOf('postgres/postgresql.conf')}\n${small}\n`)
      chmodSync(path, 0o644)
      return path
    },
  }
}

function start(command: string[], env: Record<string, string>): ChildProcess {
  const [file = '', ...args] = command
  const PATH = `${programs}:${process.env.PATH}`
  const child = spawn(file, args, { ...account, cwd: '/', stdio: 'ignore', env: { PATH, ...env } })
  children.push(child)
  return child
}

async function connected(url: string): Promise<pg.Client> {
  for (let tries = 0; ; tries += 1) {
    const client = new pg.Client(url)
    try {
      await client.connect()
      return client
    } catch (error) {
      if (tries > 200) throw error
      await sleep(50)
    }
  }
}

/** Waits until a commit waits for the standby. */
async function untilCommitWaits(client: pg.Client): Promise<void> {
  const waiting = `select from pg_stat_activity where wait_event = 'SyncRep'`
  while ((await client.query(waiting)).rows.length === 0) await sleep(20)
}

/** Continues without its standby, by the commands of docs/production/postgresql.md. */
async function assertGoesOnAlone(client: pg.Client, operator: pg.Client): Promise<void> {
  const standby = children.pop()
  const ended = standby && once(standby, 'close')
  standby?.kill('SIGQUIT')
  await ended
  const page = readFileSync(join(deploy, '../docs/production/postgresql.md'), 'utf8')
  const [, count = ''] = /`(select application_name, [^`]+)`/.exec(page) ?? []
  assert.ok((await client.query(count)).rows.length > 0)
  const waiting = client.query('insert into proof values (8)').then(() => 'committed')
  const first = await Promise.race([waiting, untilCommitWaits(operator)])
  assert.equal(first, undefined, 'it waits')
  for (const statement of documentedLines('postgresql', 'alter system', 2))
    await operator.query(statement)
  assert.equal(await waiting, 'committed')
  await Promise.all([client.end(), operator.end()])
}

test('a commit is on the standby before it ends', { skip: skipPostgres }, async () => {
  const folder = newFolder()
  const { config } = prepared(folder)
  const [primary_port, standby_port] = [await freePort(), await freePort()]
  const data = join(folder, 'primary')
  const env = { SECRETS: folder, PGDATA: data, PGHOST: folder, PGPORT: String(primary_port) }
  run('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--no-sync')
  const settings = ['-c', `config_file=${config(primary_port)}`, '-c', 'fsync=off']
  const primary = start([join(programs ?? '', 'postgres'), '-D', data, ...settings], {})
  const host = encodeURIComponent(folder)
  const url = `postgres://postgres@localhost:${primary_port}/postgres?host=${host}`
  await (await connected(url)).end()
  // Runs as the image does after initdb, with a server that is then stopped.
  execFileSync(join(folder, 'primary.sh'), {
    ...account,
    cwd: '/',
    env: { PATH: `${programs}:${process.env.PATH}`, ...env },
  })
  assert.match(
    readFileSync(join(data, 'pg_hba.conf'), 'utf8'),
    /^host replication replication all/m,
  )
  const ended = once(primary, 'close')
  primary.kill('SIGINT')
  await ended
  children.pop()
  start([join(programs ?? '', 'postgres'), '-D', data, ...settings], {})
  const client = await connected(url)

  mkdirSync(join(folder, 'standby'))
  if (account) execFileSync('chown', [`${account.uid}`, join(folder, 'standby')])
  const waiting = client.query('create table proof (id int)')
  const operator = await connected(url)
  const first = await Promise.race([waiting.then(() => 'committed'), untilCommitWaits(operator)])
  assert.equal(first, undefined, 'it waits without a standby')
  start([join(folder, 'standby.sh')], {
    SECRETS: folder,
    PGDATA: join(folder, 'standby', 'data'),
    PRIMARY_HOST: '127.0.0.1',
    PRIMARY_PORT: String(primary_port),
    STANDBY_NAME: 'standby1',
    CONFIG_FILE: config(standby_port),
  })
  await waiting
  const { rows } = await client.query(
    'select sync_state, application_name from pg_stat_replication',
  )
  assert.deepEqual(rows, [{ sync_state: 'sync', application_name: 'standby1' }])
  await client.query('insert into proof values (7)')
  const copy = await connected(
    `postgres://postgres@localhost:${standby_port}/postgres?host=${host}`,
  )
  // The commit is flushed there but not yet replayed, so reads follow.
  for (let tries = 0; tries < 1_000; tries += 1) {
    const seen = await copy.query('select id from proof').catch(() => ({ rows: [] }))
    if (seen.rows[0]?.id === 7) break
    await sleep(20)
  }
  assert.deepEqual((await copy.query('select id from proof')).rows, [{ id: 7 }])
  const registrar = `postgres://registrar:${encodeURIComponent(secrets.registrar_password)}`
  const own = await connected(`${registrar}@127.0.0.1:${primary_port}/registrar`)
  assert.equal((await own.query('select current_user as me')).rows[0].me, 'registrar')
  await Promise.all([own.end(), copy.end()])
  await assertGoesOnAlone(client, operator)
})
