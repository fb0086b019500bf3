// Two PostgreSQL servers, a primary and a standby that replicates it, behind one address that can
// be moved from the one to the other, as a virtual IP address is.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { copyPrograms, platformPackage } from '../../../src/db/embedded/binaries.ts'
import { makeCluster, serverEnvironment, serverFlags } from '../../../src/db/embedded/cluster.ts'
import { type Place, preparePlace } from '../../../src/db/embedded/data-paths.ts'
import { becomesReady } from '../../../src/db/embedded/postmaster.ts'
import { serverAccount } from '../../../src/db/embedded/system-account.ts'
import { until } from '../support/disaster-setup.ts'

const database = 'failover'
/** Its name for synchronous_standby_names. */
const standby_name = 'standby'

type Server = { place: Place; child: ChildProcess }
type Pair = {
  /** The URL at the address that is moved. */
  url: string
  /** Each commit waits until it is on the standby's disk, too. */
  isSynchronous: () => Promise<boolean>
  /** From then on the standby receives nothing more. */
  cutReplication: () => void
  /** Ends every process of the primary at once, as a power cut would. */
  killPrimary: () => void
  /** Acts as if the primary's machine vanished: connections stay, and nothing answers on them. */
  silence: () => void
  /** Moves the address to the standby, which only reads until it is promoted. */
  moveAddress: () => void
  promote: () => Promise<void>
}

/** If asynchronous, a commit is acknowledged before the standby has it. */
export async function startPair({ synchronous }: { synchronous: boolean }): Promise<Pair> {
  const folder = mkdtempSync(join(process.env.TEST_SCRATCH_DIR ?? '/tmp', 'pair-'))
  // The servers' account may pass through it.
  chmodSync(folder, 0o711)
  const account = serverAccount()
  const programs = copyPrograms(platformPackage(), folder)
  const [place, copy] = ['primary', 'standby'].map((name) =>
    preparePlace(join(folder, name), account),
  )
  if (!place || !copy) throw new Error('No place')
  makeCluster(place, programs, true)
  // This is set before its first start, so that the standby gets everything that the primary ever
  // writes.
  execFileSync('cp', ['-a', place.cluster, copy.cluster])
  const from = `host=${place.socket_dir} port=5432 user=postgres application_name=${standby_name}`
  writeFileSync(join(copy.cluster, 'standby.signal'), '')
  const names = synchronous ? standby_name : ''
  const flags = ['-c', 'wal_keep_size=512MB']
  const of = { programs, account }
  const running: Server[] = []
  after(async () => {
    for (const { child } of running) killAll(child)
    rmSync(folder, { recursive: true, force: true })
  })
  running.push(await start(place, of, [...flags, '-c', `synchronous_standby_names=${names}`]))
  running.push(await start(copy, of, [...flags, '-c', `primary_conninfo=${from}`]))
  const [primary, standby] = running
  if (!primary || !standby) throw new Error('No servers')
  await ask(place, 'postgres', `create database ${database}`)
  const address = await openAddress(socketOf(place))
  return {
    url: `postgres://postgres@127.0.0.1:${address.port}/${database}?connect_timeout=5`,
    async isSynchronous() {
      const rows = await ask(place, 'postgres', 'select sync_state from pg_stat_replication')
      return rows.some(({ sync_state }) => sync_state === 'sync')
    },
    cutReplication: () => process.kill(childNamed(primary.child, 'walsender'), 'SIGSTOP'),
    killPrimary: () => killAll(primary.child),
    silence: () => address.silence(),
    moveAddress: () => address.moveTo(socketOf(copy)),
    async promote() {
      await ask(copy, 'postgres', 'select pg_promote()')
      const isReplica = async () =>
        (await ask(copy, 'postgres', 'select pg_is_in_recovery() as is'))[0]?.is === true
      await until(async () => !(await isReplica()), { within_ms: 10_000, what: 'it is promoted' })
    },
  }
}

const socketOf = ({ socket_dir }: Place) => join(socket_dir, '.s.PGSQL.5432')

type Of = { programs: string; account: ReturnType<typeof serverAccount> }

async function start(place: Place, { programs, account }: Of, more: string[]): Promise<Server> {
  const child = spawn(
    join(programs, 'bin', 'postgres'),
    [...serverFlags(place, 5432, false), ...more],
    { cwd: place.data_dir, env: serverEnvironment(), stdio: 'ignore', ...account },
  )
  const alive = () => child.exitCode === null && child.signalCode === null
  if (!(await becomesReady(place.cluster, child.pid ?? 0, alive)))
    throw new Error(`PostgreSQL in ${place.cluster} does not start`)
  return { place, child }
}

/** The child processes of this process, by their numbers. */
function childrenOf({ pid }: ChildProcess): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const status = readStatus(name)
      return /^PPid:\t(\d+)$/m.exec(status)?.[1] === String(pid)
    })
    .map(Number)
}

/** The list is empty if it has ended meanwhile. */
function readStatus(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

function childNamed(parent: ChildProcess, name: string): number {
  const found = childrenOf(parent).find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(name),
  )
  if (found === undefined) throw new Error(`No process ${name}`)
  return found
}

/** Its children first stop, so that none does another step. */
function killAll(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return
  const all = [...childrenOf(child), child.pid ?? 0]
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const)
    for (const pid of all) if (pid > 0) tryKill(pid, signal)
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (Object(error).code !== 'ESRCH') throw error
  }
}

async function ask({ socket_dir: host }: Place, name: string, text: string) {
  const client = new pg.Client({ host, user: 'postgres', database: name })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** A TCP port that leads to a server's socket, and from then on to another's. */
async function openAddress(first: string) {
  let path = first
  const open = new Set<{ near: Socket; far: Socket }>()
  const server = createServer((near) => {
    const far = connect(path)
    const both = { near, far }
    open.add(both)
    for (const one of [near, far]) one.on('error', () => undefined)
    near.on('close', () => {
      open.delete(both)
      far.destroy()
    })
    far.on('close', () => {
      if (open.has(both)) near.destroy()
    })
    near.pipe(far)
    far.pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const silent = new Set<Socket>()
  const cut = () => {
    for (const { near } of open) near.destroy()
    for (const near of silent) near.destroy()
  }
  after(() => {
    server.close()
    cut()
  })
  return {
    port: Number(Object(server.address()).port),
    /** Only the kernel reads from these connections. */
    silence() {
      for (const both of open) {
        open.delete(both)
        silent.add(both.near)
        both.near.unpipe().pause()
        both.far.destroy()
      }
    },
    moveTo(other: string) {
      path = other
    },
  }
}
