// A real PowerDNS for a test file: the installed pdns_server with SQLite, on free ports, gone
// afterwards.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { freePort } from '../../src/kit/net/free-port.ts'

const program = ['/usr/sbin/pdns_server', '/usr/bin/pdns_server'].find((path) => existsSync(path))
const schema = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'
const installed = program !== undefined && existsSync(schema) && hasSqlite()

/** Why tests with PowerDNS cannot run; false where they can, and in CI, where they must. */
export const skipPowerDns =
  installed || process.env.CI === 'true'
    ? false
    : 'PowerDNS is not installed: apt-get install pdns-server pdns-backend-sqlite3 sqlite3'

export type PowerDns = {
  url: string
  api_key: string
  place: { host: string; port: number }
  /** Kills it; `start` brings it back with what it kept. */
  stop: () => Promise<void>
  start: () => Promise<void>
}

const open: { close(): Promise<void> }[] = []

// Here, at import, it belongs to the whole file; called in a `before`, it would belong to that
// alone.
after(() => Promise.all(open.map((one) => one.close())))

function hasSqlite(): boolean {
  return spawnSync('sqlite3', ['-version']).status === 0
}

/** Starts one; it is stopped after the file's tests. */
export async function startPowerDns(): Promise<PowerDns> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-pdns-'))
  const database = join(folder, 'zones.sqlite3')
  spawnSync('sqlite3', [database], { input: readFileSync(schema) })
  const [dns, http] = [await freePort(), await freePort()]
  const api_key = 'key-of-the-test'
  writeFileSync(join(folder, 'pdns.conf'), configuration({ folder, database, dns, http, api_key }))
  const url = `http://127.0.0.1:${http}`
  let child: ChildProcess | null = null
  const stop = async () => {
    const running = child
    child = null
    if (!running || running.exitCode !== null) return
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }
  const start = async () => {
    child = spawn(program ?? 'pdns_server', [`--config-dir=${folder}`], { stdio: 'ignore' })
    await ready(url, api_key)
  }
  open.push({
    close: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  })
  await start()
  return { url, api_key, place: { host: '127.0.0.1', port: dns }, stop, start }
}

type Places = { folder: string; database: string; dns: number; http: number; api_key: string }

function configuration({ folder, database, dns, http, api_key }: Places): string {
  return [
    'launch=gsqlite3',
    `gsqlite3-database=${database}`,
    'local-address=127.0.0.1',
    `local-port=${dns}`,
    `socket-dir=${folder}`,
    'daemon=no',
    'guardian=no',
    'api=yes',
    `api-key=${api_key}`,
    'webserver=yes',
    'webserver-address=127.0.0.1',
    `webserver-port=${http}`,
    'webserver-allow-from=127.0.0.1',
    'security-poll-suffix=',
    '',
  ].join('\n')
}

/** It does not report when it is ready, so it is polled until it answers. */
async function ready(url: string, api_key: string): Promise<void> {
  const end = Date.now() + 10_000
  for (;;) {
    const headers = { 'X-API-Key': api_key }
    const answer = await fetch(`${url}/api/v1/servers/localhost`, { headers }).catch(() => null)
    if (answer?.ok) return
    if (Date.now() > end) throw new Error(`pdns_server does not answer at ${url}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
