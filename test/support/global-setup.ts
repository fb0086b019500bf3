// One PostgreSQL for a whole test run: started before the first file, with a migrated template that
// each file clones; and one set of certificates for the sandbox registries.
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { buildIfStale } from '../../dashboard/build.ts'
import { startSandbox } from '../../sandbox/registry/index.ts'
import { type EmbeddedDatabase, startEmbedded } from '../../src/db/embedded/index.ts'
import { findRunning, isAlive, stopPostmaster } from '../../src/db/embedded/postmaster.ts'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { measureServer } from '../shards/costs.ts'

const prefix = 'agent-registrar-test-'
const memory = '/dev/shm'
const bytes_needed = 1_000_000_000

let server: EmbeddedDatabase | undefined
let folder: string | undefined

/**
 * In memory where there is space and programs may run (a container's /dev/shm is small and noexec).
 */
function scratch(): string {
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  const mount = readFileSync('/proc/mounts', 'utf8').match(/^\S+ \/dev\/shm \S+ (\S+)/m)
  const usable = bavail * bsize > bytes_needed && !/\b(noexec|ro)\b/.test(mount?.[1] ?? '')
  return usable ? memory : tmpdir()
}

/** Cleans up after a killed run, whose server continues to run. */
async function removeLeftovers(place: string): Promise<void> {
  for (const name of readdirSync(place).filter((one) => one.startsWith(prefix))) {
    if (isAlive(Number(name.slice(prefix.length).split('-')[0]))) continue
    const cluster = join(place, name, 'postgresql', 'cluster')
    const left = findRunning(cluster)
    if (left) await stopPostmaster(cluster, left.pid)
    rmSync(join(place, name), { recursive: true, force: true })
  }
}

export async function globalSetup(): Promise<void> {
  // Once, and not by several services that start at the same time.
  await buildIfStale()
  const place = scratch()
  await removeLeftovers(place)
  folder = mkdtempSync(join(place, `${prefix}${process.pid}-`))
  chmodSync(folder, 0o711)
  server = await startEmbedded({ data_dir: folder, fast: true, log: { info: () => undefined } })
  const template = new URL(server.url)
  template.pathname = '/template_of_tests'
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query('create database template_of_tests')
  await client.end()
  const { roles } = await migrate({ url: template.href })
  if (roles !== 'ready') throw new Error('The roles of the test database are missing')
  process.env.TEST_DATABASE_ADMIN_URL = server.url
  // A node flushes the head of its audit log with each block: in memory that costs nothing.
  process.env.TEST_SCRATCH_DIR = folder
  process.env.TEST_PKI_DIR = join(folder, 'pki')
  await (await startSandbox({ data_dir: null, pki_dir: process.env.TEST_PKI_DIR })).close()
}

export async function globalTeardown(): Promise<void> {
  const running = folder && findRunning(join(folder, 'postgresql', 'cluster'))
  if (running) measureServer('PostgreSQL', running.pid)
  await server?.stop()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
}
