// The settings of a pool of EPP sessions, and what it reports.

import type { SessionSettings } from '../session/session.ts'
import type { QueueLimits } from './pooled-command.ts'
import type { AcquireLease } from './pooled-session.ts'

export type PoolEvent =
  | { event: 'opened' | 'closed'; sessions: number }
  | { event: 'open_failed' | 'refused'; sessions: number; failure: string; message: string }

export type PoolSettings = {
  session: SessionSettings
  sessions: number
  /** The server ends a session after this much silence, so a hello is sent at 40 % of it. */
  idle_ms: number
  queue: QueueLimits
  max_commands: number
  max_age_ms: number
  /** Monotonic milliseconds. */
  now: () => number
  report: (event: PoolEvent) => void
  /** A budget of sessions over several nodes. If left out, `sessions` belong to this pool alone. */
  acquireLease?: AcquireLease
}
