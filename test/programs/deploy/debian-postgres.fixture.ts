// A PostgreSQL server of Debian's for a test file, with the programs that the embedded one lacks:
// pg_dump, pg_restore, pg_basebackup.
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { serverAccount } from '../../../src/db/embedded/system-account.ts'

/** The newest version that is installed. */
export const programs = globSync('/usr/lib/postgresql/*/bin')
  .filter((folder) => existsSync(join(folder, 'postgres')))
  .sort()
  .at(-1)

export const skipPostgres =
  programs !== undefined || process.env.CI === 'true'
    ? false
    : 'No PostgreSQL server is installed: apt-get install postgresql'

const account = serverAccount()
const running: string[] = []
const folders: string[] = []

after(() => {
  for (const data of running) run('pg_ctl', 'stop', '-D', data, '-m', 'immediate')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Runs a program as the account that PostgreSQL may run as; returns its output. */
export function run(program: string, ...args: string[]): string {
  return execFileSync(join(programs ?? '', program), args, {
    ...account,
    cwd: '/',
    encoding: 'utf8',
    // pg_ctl's server would keep a pipe open.
    stdio: program === 'pg_ctl' ? 'ignore' : ['ignore', 'pipe', 'pipe'],
  })
}

/** A folder that belongs to that account. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-pg-'))
  folders.push(folder)
  if (account) chownSync(folder, account.uid, account.gid)
  return folder
}

type Server = {
  /** The URL of a database for its superuser, or for another user. */
  urlOf: (database: string, user?: string) => string
  /** Runs lines of a shell as its superuser, in a folder of that account's. */
  inShell: (lines: string[], cwd: string) => void
}

/** An empty server on a socket. */
export function startPostgres(): Server {
  const folder = newFolder()
  const data = join(folder, 'data')
  run('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--no-sync')
  const flags = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off`
  run('pg_ctl', 'start', '-w', '-D', data, '-l', join(folder, 'log'), '-o', flags)
  running.push(data)
  const host = encodeURIComponent(folder)
  return {
    urlOf: (database, user = 'postgres') => `postgres://${user}@localhost/${database}?host=${host}`,
    inShell(lines, cwd) {
      const PATH = `${programs}:${process.env.PATH}`
      const env = { PATH, PGHOST: folder, PGUSER: 'postgres' }
      const stdio = ['ignore', 'pipe', 'pipe'] as const
      execFileSync('/bin/sh', ['-euc', lines.join('\n')], {
        ...account,
        cwd,
        env,
        stdio: [...stdio],
      })
    },
  }
}

/** The rows of one statement, which runs on its own connection. */
export async function rows(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
