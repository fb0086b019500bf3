// The names of the MCP clients that have connected, by credential and User-Agent.
import type { Caller } from '../../app.ts'
import type { Database } from '../../db/database.ts'
import { monotonicMs } from '../../kit/clock.ts'
import { newExpiringMap } from '../../kit/expiring-map.ts'
import { hashSecret } from '../../kit/random.ts'
import { principalKey } from '../pipeline/access-control.ts'
import { clientNameOf, keepClientName } from './client-names.sql.ts'

/** A credential and the User-Agent sent with it. */
type ClientKey = { caller: Caller; user_agent: string }
export type ClientNames = {
  keep: (key: ClientKey, name: string) => Promise<void>
  /**
   * The name of the client, or undefined if none with this credential and User-Agent connected
   * lately.
   */
  of: (key: ClientKey) => Promise<string | undefined>
}

const ttl_ms = 60_000
const most_known = 10_000

/**
 * Opens the store of client names, with a cache aside. The older revisions send clientInfo in
 * initialize alone and there are no sessions, so later calls are matched by credential and
 * User-Agent.
 */
export function openClientNames(db: Database): ClientNames {
  const known = newExpiringMap<{ name: string | undefined }>({
    max: most_known,
    ttl_ms,
    monotonic_ms: monotonicMs,
  })

  function note(id: string, name: string | undefined): void {
    known.set(id, { name })
  }

  return {
    async keep({ caller, user_agent }, name) {
      if (caller.kind === 'anonymous') return
      const principal = principalKey(caller)
      const hash = hashSecret(user_agent)
      await db.run(keepClientName, { principal, user_agent: hash, name })
      note(`${principal} ${hash.toString('hex')}`, name)
    },
    async of({ caller, user_agent }) {
      if (caller.kind === 'anonymous') return undefined
      const principal = principalKey(caller)
      const hash = hashSecret(user_agent)
      const id = `${principal} ${hash.toString('hex')}`
      const cached = known.get(id)
      if (cached) return cached.name
      const row = await db.maybe(clientNameOf, { principal, user_agent: hash })
      note(id, row?.name)
      return row?.name
    },
  }
}
