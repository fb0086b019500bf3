// Session leases: the sessions of all nodes at one registry, which never exceed its limit and are
// shared fairly.
import type { Logger } from 'pino'
import { type Database, Subscription } from '../db/database.ts'
import type { AcquireLease } from '../epp/pool/pooled-session.ts'
import { HeldLeases } from './leases.ts'
import { newNode } from './process-liveness.ts'
import { RegistryLeases } from './waiters.ts'

const channel = 'session_leases'
const usual_lease_ms = 15_000

export type SessionLeases = {
  /** The hook of a registry's pool; `sessions` is the limit of all nodes together. */
  of: (registry: { name: string; sessions: number }) => AcquireLease
  /**
   * Releases the remaining leases. Close the registries first, because they log out of their
   * sessions.
   */
  close: () => Promise<void>
}

/**
 * Session leases in the database that all nodes share. No query runs until a session is needed.
 * `lease_ms` is how long the sessions of a node that died count as taken.
 */
export function openSessionLeases(
  { db, log }: { db: Database; log: Pick<Logger, 'warn' | 'error'> },
  { node = newNode(), lease_ms = usual_lease_ms }: { node?: string; lease_ms?: number } = {},
): SessionLeases {
  const registries = new Map<string, RegistryLeases>()
  const wake = (registry: string) => registries.get(registry)?.wake()
  const leases = new HeldLeases({ sql: db, log, node, lease_ms, waitedFor: wake })
  const wakeAll = () => {
    for (const one of registries.values()) one.wake()
  }
  const notifications = new Subscription(db, channel, { notified: wake, reconnected: wakeAll })

  return {
    of({ name, sessions }) {
      const ofRegistry = new RegistryLeases({
        sql: db,
        log,
        node,
        registry: name,
        sessions,
        lease_ms,
        leases,
      })
      registries.set(name, ofRegistry)
      return (holder) => {
        // This is not awaited, because a node that has begun to wait meanwhile is found by reading.
        notifications
          .ensure()
          .catch((err) => log.warn({ err }, 'cannot listen for notifications of session leases'))
        return ofRegistry.acquire(holder)
      }
    },
    async close() {
      await Promise.all([...registries.values()].map((one) => one.close()))
      await notifications.close()
      await leases.close()
    },
  }
}
