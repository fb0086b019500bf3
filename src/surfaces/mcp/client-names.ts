// Cache-aside store of the names of MCP clients. The older revisions send clientInfo in initialize
// alone and there are no sessions, so later calls are matched by credential and User-Agent.

import { LruMap } from 'toad-cache'
import type { Caller } from '../../app.ts'
import type { Database } from '../../db/database.ts'
import { monotonicMs } from '../../kit/clock.ts'
import { hashSecret } from '../../kit/secret.ts'
import { principalKey } from '../pipeline/authorize.ts'
import { clientNameOf, keepClientName } from './client-names.sql.ts'

/** Who shows which User-Agent. */
export type ClientKey = { caller: Caller; user_agent: string }
export type ClientNames = {
  keep: (key: ClientKey, name: string) => Promise<void>
  /** Undefined: this credential connected with no such program lately. */
  of: (key: ClientKey) => Promise<string | undefined>
}

const fresh_ms = 60_000
const most_known = 10_000

export function openClientNames(db: Database): ClientNames {
  const known = new LruMap<{ name: string | undefined; until: number }>(most_known)

  function note(id: string, name: string | undefined): void {
    known.set(id, { name, until: monotonicMs() + fresh_ms })
  }

  return {
    async keep({ caller, user_agent }, name) {
      if (caller.kind === 'anonymous') return
      const principal = principalKey(caller)
      const hash = hashSecret(user_agent)
      await db.run(keepClientName, [principal, hash, name])
      note(`${principal} ${hash.toString('hex')}`, name)
    },
    async of({ caller, user_agent }) {
      if (caller.kind === 'anonymous') return undefined
      const principal = principalKey(caller)
      const hash = hashSecret(user_agent)
      const id = `${principal} ${hash.toString('hex')}`
      const cached = known.get(id)
      if (cached && cached.until > monotonicMs()) return cached.name
      const row = await db.maybe(clientNameOf, [principal, hash])
      note(id, row?.name)
      return row?.name
    },
  }
}
