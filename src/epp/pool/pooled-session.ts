// A session of the pool, the lease that permits it, and its entry, which exists from before the
// session is opened.
import { EppError } from '../errors.ts'
import type { Session } from '../session/session.ts'

export const noLease = () => new EppError('session_limit', 'Other nodes hold all the sessions')

export type PoolHealth = {
  state: 'up' | 'down' | 'idle'
  sessions: number
  /** The number of sessions on which no command runs. */
  idle: number
  queued: number
  circuit_open: boolean
  last_error: string | null
}

/** The right to use one session, where several nodes share the limit that a registry sets. */
export type SessionLease = {
  /** Aborted when the lease has ended. The session then ends at once, whatever runs on it. */
  lost: AbortSignal
  /** Releases the lease, because the session is over. */
  release: () => void
}

/** The pool's entry, as the lessor sees it. */
export type LeaseHolder = {
  /** How many more sessions the pool could use now, including this one. */
  wanted: () => number
  /** Aborted when the pool closes and needs none. */
  closing: AbortSignal
  /**
   * For how long the session has had no command, or null while one runs or the session is being
   * opened.
   */
  idleMs: () => number | null
  /** Another node has a better claim, so the session ends as soon as no command runs on it. */
  giveUp: () => void
}

/**
 * Waits for a lease as long as one is needed. The result is null if none was free, and none is
 * needed any longer.
 */
export type AcquireLease = (holder: LeaseHolder) => Promise<SessionLease | null>

/** With `leaving`, its session is to be closed before its next command. */
export type PoolEntry = { session: PooledSession | null; leaving: boolean }

/**
 * Returns null if no lease arrived while one was needed. Without `acquire`, there are enough
 * leases.
 */
export async function leaseFor(
  holder: LeaseHolder,
  acquire: AcquireLease | undefined,
): Promise<SessionLease | null> {
  if (!acquire) return { lost: new AbortController().signal, release: () => {} }
  const lease = await acquire(holder)
  if (!lease || holder.wanted() > 0) return lease
  // The waiting command was run meanwhile, or was refused.
  lease.release()
  return null
}

export type PooledSession = {
  readonly session: Session
  readonly lease: SessionLease
  readonly entry: PoolEntry
  readonly opened_ms: number
  /** The number of its log-in among those of the pool, in the order in which they began. */
  readonly nth: number
  /** Whether it has answered a command. */
  proven: boolean
  /** When its last command ended; a hello does not count. */
  used_ms: number
  idle: boolean
  /** The timer until its next hello. */
  timer?: NodeJS.Timeout
}
