// A real PgBouncer before the test run's PostgreSQL, in a pool mode of choice.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import { serverAccount } from '../../src/db/embedded/system-account.ts'
import { freePort } from '../../src/kit/net/free-port.ts'

const program = '/usr/sbin/pgbouncer'

/** Why tests with PgBouncer cannot run; false where they can, and in CI, where they must. */
export const skipPgBouncer =
  existsSync(program) || process.env.CI === 'true'
    ? false
    : 'PgBouncer is not installed: apt-get install pgbouncer'

type PoolMode = 'session' | 'transaction' | 'statement'
export type PoolOptions = { size?: number; round_robin?: boolean }

/** Returns the URL by which the database of `url` is reached through it; ended after the file. */
export async function startPgBouncer(
  url: string,
  mode: PoolMode,
  { size = 20, round_robin = false }: PoolOptions = {},
): Promise<string> {
  const target = new URL(url)
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-pgbouncer-'))
  chmodSync(folder, 0o755)
  const account = serverAccount()
  if (account) chownSync(folder, account.uid, account.gid)
  const host = target.searchParams.get('host') ?? target.hostname
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(join(folder, 'users.txt'), `"${target.username}" ""\n`, { mode: 0o644 })
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${host} port=${target.port || 5432} user=${target.username}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${join(folder, 'users.txt')}`,
      `pool_mode = ${mode}`,
      `default_pool_size = ${size}`,
      `server_round_robin = ${round_robin ? 1 : 0}`,
      'query_wait_timeout = 30',
    ].join('\n'),
  )
  const child = spawn(program, [file], { stdio: ['ignore', 'ignore', 'pipe'], ...account })
  const ended = once(child, 'exit')
  after(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  const lines = createInterface({ input: child.stderr })
  for await (const line of lines) if (/process up/.test(line)) break
  lines.resume()
  return `postgres://${target.username}@127.0.0.1:${port}${target.pathname}`
}
