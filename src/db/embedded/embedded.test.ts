// Our own PostgreSQL through its life: first start, second start, crashes, and a node that died.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { type EmbeddedDatabase, EmbeddedDatabaseError, startEmbedded } from './index.ts'
import { findRunning, isAlive, stopPostmaster } from './postmaster.ts'
import { serverAccount } from './system-account.ts'

const scratch = mkdtempSync(join(tmpdir(), 'agent-registrar-embedded-'))
chmodSync(scratch, 0o711)
after(() => rmSync(scratch, { recursive: true }))

const asRoot = process.getuid?.() === 0
const lines: string[] = []
const log = { info: (line: string) => void lines.push(line) }
const start = (data_dir: string, fast = true) => startEmbedded({ data_dir, fast, log })

async function ask(server: EmbeddedDatabase, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(server.url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Processes of this server alone, since others run beside it. */
function segmentsOf(pid: number): string[] {
  const maps = readFileSync(`/proc/${pid}/maps`, 'utf8')
  return [...new Set(maps.match(/\/dev\/shm\/PostgreSQL\.\d+/g))]
}

function pidOf(server: EmbeddedDatabase): number {
  const pid = findRunning(join(server.data_dir, 'cluster'))?.pid
  assert.ok(pid)
  return pid
}

/**
 * Starts the database from another node process, which is then killed without a chance to clean
 * up.
 */
async function startAndDie(data_dir: string): Promise<void> {
  const index = join(import.meta.dirname, 'index.ts')
  const program = `
    const { startEmbedded } = await import(${JSON.stringify(index)})
    await startEmbedded({ data_dir: ${JSON.stringify(data_dir)}, fast: true, log: { info() {} } })
    console.log('up')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

describe('the embedded database', () => {
  const home = join(scratch, 'life')

  test('starts on nothing, keeps what is written, and starts again quickly', async () => {
    const first = await start(home)
    assert.equal(first.adopted, false)
    await ask(first, `create table kept (word text); insert into kept values ('yes')`)
    await first.stop()
    const begun = performance.now()
    const second = await start(home)
    assert.ok(performance.now() - begun < 10_000)
    assert.deepEqual(await ask(second, 'select word from kept'), [{ word: 'yes' }])
    await second.stop()
  })

  test('leaves no process and no shared memory when it stops', async () => {
    const server = await start(home)
    const pid = pidOf(server)
    const segments = segmentsOf(pid)
    assert.ok(segments.length > 0)
    await server.stop()
    assert.equal(findRunning(join(server.data_dir, 'cluster')), null)
    assert.ok(!isAlive(pid) || readFileSync(`/proc/${pid}/cmdline`, 'utf8') === '')
    assert.deepEqual(
      segments.filter((one) => existsSync(one)),
      [],
    )
  })

  test('listens on no network, and no other user may enter its folders', async () => {
    const server = await start(home)
    const [row] = await ask(
      server,
      `select current_setting('listen_addresses') as addresses, version(), datlocprovider
       from pg_database where datname = current_database()`,
    )
    assert.equal(row?.addresses, '')
    assert.match(String(row?.version), /^PostgreSQL 18\./)
    assert.equal(row?.datlocprovider, 'b')
    const owner = asRoot ? 'not root' : 'this user'
    const status = readFileSync(`/proc/${pidOf(server)}/status`, 'utf8')
    assert.equal(/^Uid:\t0\t/m.test(status), false, `runs as ${owner}`)
    await server.stop()
  })
})

describe('the embedded database after a crash', () => {
  const home = join(scratch, 'crash')

  test('recovers every committed row after its postmaster was killed', async () => {
    const server = await start(home, false)
    await ask(server, `create table kept (word text); insert into kept values ('once')`)
    await ask(server, `insert into kept values ('twice')`)
    process.kill(pidOf(server), 'SIGKILL')
    const again = await start(home)
    assert.equal(again.adopted, false)
    assert.equal((await ask(again, 'select word from kept')).length, 2)
    await again.stop()
  })

  test('is taken over when the node that started it died, and stopped by the new one', async () => {
    await startAndDie(home)
    const server = await start(home)
    assert.equal(server.adopted, true)
    assert.match(lines.join('\n'), /Took over the database that is running/)
    await server.stop()
    assert.equal(findRunning(join(server.data_dir, 'cluster')), null)
  })

  test('is not stopped under another living process that started it', async () => {
    const server = await start(home)
    const owner = join(server.data_dir, 'owner.pid')
    writeFileSync(owner, String(process.ppid))
    const guest = await start(home)
    assert.match(lines.at(-1) ?? '', /^Using the database that is running/)
    await guest.stop()
    assert.ok(pidOf(server) > 0)
    writeFileSync(owner, String(process.pid))
    await server.stop()
  })

  test('started twice in one moment is one server', async () => {
    const [one, two] = await Promise.all([start(home), start(home)])
    assert.equal(pidOf(one), pidOf(two))
    await one.stop()
    await two.stop()
  })
})

describe('an awkward place', () => {
  test('with a long path has its socket elsewhere', async () => {
    const deep = join(scratch, 'd'.repeat(60), 'e'.repeat(60))
    mkdirSync(deep, { recursive: true })
    const server = await start(deep)
    const host = new URL(server.url).searchParams.get('host') ?? ''
    assert.ok(host.length < 90 && !host.startsWith(scratch))
    assert.equal((await ask(server, 'select 1 as one')).length, 1)
    await server.stop()
    rmSync(host, { recursive: true })
  })

  test('with the pid file of a crash, whose number another program has now, starts', async () => {
    const home = join(scratch, 'crash')
    const server = await start(home)
    await server.stop()
    const cluster = join(server.data_dir, 'cluster')
    const other = spawn('sleep', ['60'], { stdio: 'ignore', ...serverAccount() })
    const file = join(cluster, 'postmaster.pid')
    writeFileSync(file, `${other.pid}\n${cluster}\n0\n5432\n\n\n\nready\n`)
    assert.equal(findRunning(cluster), null)
    const again = await start(home)
    assert.equal(again.adopted, false)
    assert.notEqual(pidOf(again), other.pid)
    await again.stop()
    other.kill()
  })

  test('of another major version is refused in one line', async () => {
    const home = join(scratch, 'old')
    const cluster = join(home, 'postgresql', 'cluster')
    mkdirSync(cluster, { recursive: true })
    writeFileSync(join(cluster, 'PG_VERSION'), '17\n')
    await assert.rejects(start(home), (error: unknown) => {
      assert.ok(error instanceof EmbeddedDatabaseError)
      assert.match(error.message, /is of PostgreSQL 17, and this brings 18/)
      assert.match(error.hint, /DATABASE_URL/)
      assert.doesNotMatch(error.message, /\n/)
      return true
    })
  })

  test('that is a file is refused in one line', async () => {
    const file = join(scratch, 'file')
    writeFileSync(file, '')
    await assert.rejects(start(file), (error: unknown) => {
      assert.ok(error instanceof EmbeddedDatabaseError)
      assert.match(error.message, /cannot be kept in .*file: .*Set DATA_DIR/)
      return true
    })
  })

  const skip = asRoot ? false : 'Only root lends PostgreSQL another account.'
  test('that only root may enter is left for /var/lib, and logged', { skip }, async () => {
    const closed = mkdtempSync(join(tmpdir(), 'agent-registrar-closed-'))
    const server = await start(closed)
    try {
      assert.match(server.data_dir, /^\/var\/lib\/agent-registrar\/[0-9a-f]{10}$/)
      assert.match(lines.at(-1) ?? '', /cannot enter .*: the data is in \/var\/lib/)
      const instead = readFileSync(join(server.data_dir, 'instead-of'), 'utf8')
      assert.equal(instead.trim(), closed)
    } finally {
      await server.stop()
      rmSync(server.data_dir, { recursive: true })
      rmSync(closed, { recursive: true })
    }
  })

  test('made under a strict umask is still open to the server', { skip }, async () => {
    const umask = process.umask(0o077)
    try {
      const server = await start(join(scratch, 'strict'))
      assert.ok(server.data_dir.startsWith(scratch))
      await server.stop()
    } finally {
      process.umask(umask)
    }
  })

  test('a cluster without a server has nothing to stop', async () => {
    await stopPostmaster(join(scratch, 'nowhere'), process.pid)
    assert.ok(isAlive(process.pid))
  })
})
