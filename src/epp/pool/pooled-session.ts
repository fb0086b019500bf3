// A session of the pool, the lease that permits it, and its entry, which exists from before the
// session is opened.
import { EppError } from '../errors.ts'
import type { Session } from '../session/session.ts'

export const noLease = () => new EppError('session_limit', 'Other nodes hold all the sessions')

export type PoolHealth = {
  state: 'up' | 'down' | 'idle'
  sessions: number
  /** Of the sessions, those on which no command runs. */
  idle: number
  queued: number
  circuit_open: boolean
  last_error: string | null
}

/** The right to hold one session, where several nodes share the limit that a registry sets. */
export type SessionLease = {
  /** Aborted when the lease has ended: the session ends at once, whatever runs on it. */
  lost: AbortSignal
  /** The session is over. */
  release: () => void
}

/** The pool's entry, as the lessor sees it. */
export type LeaseHolder = {
  /** How many sessions more the pool could use now, this one among them. */
  wanted: () => number
  /** Aborted when the pool closes and wants none. */
  closing: AbortSignal
  /** For how long the session has had no command; null while one runs, or it is being opened. */
  idleMs: () => number | null
  /** Another node has a better claim: the session ends as soon as no command runs on it. */
  giveUp: () => void
}

/**
 * Waits for a lease as long as one is wanted. Null: none was free, and now none is wanted any more.
 */
export type AcquireLease = (holder: LeaseHolder) => Promise<SessionLease | null>

/** `leaving`: its session is to be closed before its next command. */
export type PoolEntry = { session: PooledSession | null; leaving: boolean }

/** Null when no lease came while one was wanted. Without `acquire` there are leases enough. */
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
  /** Of the pool's log-ins, in the order in which they began. */
  readonly nth: number
  /** It has answered a command. */
  proven: boolean
  /** When its last command ended; a hello is none. */
  used_ms: number
  idle: boolean
  /** Until its next hello. */
  timer?: NodeJS.Timeout
}
