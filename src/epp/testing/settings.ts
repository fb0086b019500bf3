// For tests: settings of a session and of a pool towards a scripted server.
import { ns } from '../namespaces.ts'
import { Pool, type PoolEvent, type PoolSettings } from '../pool.ts'
import type { SessionSettings } from '../session.ts'
import type { ScriptedServer } from './scripted-server.ts'

let count = 0
/** Never the same twice in one run. */
export function freshId(): string {
  count += 1
  return `test-${count}`
}

export function sessionSettings(
  server: ScriptedServer,
  own: Partial<SessionSettings> = {},
): SessionSettings {
  return {
    host: '127.0.0.1',
    port: server.port,
    credentials: async () => ({ ca: server.cert, cert: null, key: null, servername: null }),
    client_id: 'ClientX',
    password: 'foo-BAR2',
    objects: { required: [ns.domain], optional: [ns.contact, ns.host] },
    extensions: { required: [], optional: [ns.rgp, ns.fee] },
    timeout_ms: 2_000,
    freshId,
    ...own,
  }
}

export function openPool(
  server: ScriptedServer,
  own: Partial<PoolSettings> & { timeout_ms?: number; password?: string } = {},
): { pool: Pool; events: PoolEvent[] } {
  const { timeout_ms = 2_000, password = 'foo-BAR2', ...rest } = own
  const events: PoolEvent[] = []
  const pool = new Pool({
    session: sessionSettings(server, { timeout_ms, password }),
    sessions: 2,
    idle_ms: 60_000,
    queue: { limit: 100, wait_ms: 5_000 },
    max_commands: 1_000,
    max_age_ms: 60_000,
    now: () => performance.now(),
    report: (event) => events.push(event),
    ...rest,
  })
  return { pool, events }
}
