// The sessions of all nodes at one registry: never more than its limit, shared by who needs them.
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import type { AcquireSlot } from '../epp/pool/session-permit.ts'
import { Loans } from './leases.ts'
import { newNode } from './process-liveness.ts'
import { Line } from './waiters.ts'

const channel = 'session_slots'
const usual_lease_ms = 15_000

export type Slots = {
  /** The hook of a registry's pool; `sessions` is the limit of all nodes together. */
  of: (registry: { name: string; sessions: number }) => AcquireSlot
  /** Gives back what is left. Close the registries first: they end their sessions in good order. */
  close: () => Promise<void>
}

/**
 * The slots over a database that all nodes share. Asks nothing until a session is wanted.
 * `lease_ms` is how long the sessions of a node that died count as taken.
 */
export function openSlots(
  { db, log }: { db: Database; log: Pick<Logger, 'warn' | 'error'> },
  { node = newNode(), lease_ms = usual_lease_ms }: { node?: string; lease_ms?: number } = {},
): Slots {
  const lines = new Map<string, Line>()
  const hear = (registry: string) => lines.get(registry)?.hear()
  const loans = new Loans({ sql: db, log, node, lease_ms, waitedFor: hear })
  let deafen: Promise<(() => Promise<void>) | null> | null = null

  const hearAll = () => {
    for (const line of lines.values()) line.hear()
  }
  /** Not waited for; who has begun to wait meanwhile is found by looking. */
  const listen = () => {
    deafen ??= db.listen(channel, { notified: hear, reconnected: hearAll }).then(
      (end) => {
        hearAll()
        return end
      },
      (err) => {
        log.warn({ err }, 'session slots are not heard of')
        deafen = null
        return null
      },
    )
  }

  return {
    of({ name, sessions }) {
      const line = new Line({ sql: db, log, node, registry: name, sessions, lease_ms, loans })
      lines.set(name, line)
      return (borrower) => {
        listen()
        return line.acquire(borrower)
      }
    },
    async close() {
      await Promise.all([...lines.values()].map((line) => line.close()))
      const end = await deafen
      await end?.()
      await loans.close()
    },
  }
}
