// One job's loop on one node: wait, take the lease if the job is shared, run until there is no
// more, back off on failure.

import type { Logger } from 'pino'
import type { Sql } from '../db/database.ts'
import { monotonicMs, systemChance } from '../kit/clock.ts'
import { AutoResetEvent } from '../kit/concurrency/auto-reset-event.ts'
import { backoffMs } from '../kit/concurrency/backoff.ts'
import { claim, type Lease } from './lease.ts'

/** The interface of a job for its runner: its dependencies are bound already. */
type Work = {
  name: string
  every_ms: number
  per_node: boolean
  /** After a round that succeeded; `every_ms` is the pace after failures. */
  pause_ms: number
  /** One round; whether there may be more to do at once. */
  run: () => Promise<{ more: boolean }>
}
export type RunnerState = {
  name: string
  running: boolean
  rounds: number
  failures_in_a_row: number
  last_error: string | null
  /** Since the round under way began; null: none is. */
  round_ms: number | null
}
export type Runner = {
  wake: () => void
  /** Wakes it too, unless it waits after a failure. */
  due: () => void
  state: () => RunnerState
  /** No new round from now on; resolves when the one under way is over. */
  stop: () => Promise<void>
}
type RunnerParts = { sql: Sql; log: Logger; lease_ms: number }

// Short, so that no job is long in coming back after an outage.
const longest_backoff_ms = 15_000
/** A job that runs seldom (hourly, daily) tries again this soon. */
const soonest_retry_ms = 60_000
const longest_wait_ms = 60_000
const longest_away_ms = 2_000
const longest_jitter_ms = 1_000

/** A share of an interval by chance, so that nodes and jobs do not all come in the same moment. */
function jitter(ms: number): number {
  return systemChance() * Math.min(ms / 10, longest_jitter_ms)
}

function backoff(every_ms: number, failures: number): number {
  const first_ms = 2 * Math.max(every_ms, 500)
  const usual_ms = Math.min(every_ms, soonest_retry_ms)
  return Math.max(usual_ms, backoffMs(failures, { first_ms, longest_ms: longest_backoff_ms }))
}

const unstarted = { running: false, rounds: 0, failures_in_a_row: 0, last_error: null }

/** Starts the loop; it ends with `stop`. */
export function startRunner(work: Work, { sql, log, lease_ms }: RunnerParts): Runner {
  const { name, every_ms, pause_ms } = work
  const wakeUp = new AutoResetEvent()
  let round_began_ms: number | null = null
  const shown: Omit<RunnerState, 'round_ms'> = { name, ...unstarted }
  // `woken`: since the last claim that was answered.
  let [stopping, away, woken] = [false, false, false]

  async function rounds(held: () => boolean): Promise<void> {
    shown.running = true
    try {
      for (let more = true; more && !stopping && held(); shown.rounds += 1) {
        round_began_ms = monotonicMs()
        more = (await work.run()).more
      }
      if (!held()) log.warn({ job: name }, 'job ran longer than its lease could be kept')
    } finally {
      shown.running = false
      round_began_ms = null
    }
  }

  function failed(error: unknown): number {
    shown.failures_in_a_row += 1
    shown.last_error = error instanceof Error ? error.message : String(error)
    const wait_ms = backoff(every_ms, shown.failures_in_a_row)
    log.error({ err: error, job: name, again_in_ms: wait_ms }, 'job failed')
    return wait_ms
  }

  function succeeded(): number {
    shown.failures_in_a_row = 0
    shown.last_error = null
    return pause_ms + jitter(pause_ms)
  }

  /** Runs the job; the milliseconds until it is due again. */
  async function runHeld(lease: Lease | null): Promise<number> {
    const wait_ms = await rounds(() => lease === null || lease.held()).then(succeeded, failed)
    await lease?.finish(wait_ms, shown.last_error)
    return wait_ms
  }

  async function turn(): Promise<number> {
    woken = wakeUp.reset() || woken
    if (work.per_node) return runHeld(null)
    const claimed = await claim(sql, { name, every_ms, lease_ms, woken })
    ;[away, woken] = [false, false]
    if ('token' in claimed) return runHeld(claimed)
    return Math.min(claimed.wait_ms, every_ms, longest_wait_ms) + jitter(every_ms)
  }

  /** The lease could not be acquired or released: the database is down, which is logged once. */
  function unclaimed(error: unknown): number {
    if (!away) log.warn({ err: error, job: name }, 'job waits for the database')
    away = true
    return Math.min(every_ms, longest_away_ms) + jitter(longest_away_ms)
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      const wait_ms = await turn().catch(unclaimed)
      if (!stopping) await wakeUp.wait(wait_ms)
    }
  }

  const ended = loop()
  return {
    wake: () => wakeUp.signal(),
    due: () => {
      if (shown.failures_in_a_row === 0) wakeUp.signal()
    },
    state: () => ({
      ...shown,
      round_ms: round_began_ms === null ? null : monotonicMs() - round_began_ms,
    }),
    stop: () => {
      stopping = true
      wakeUp.signal()
      return ended
    },
  }
}
