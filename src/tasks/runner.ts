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
  /** The pause after a round that succeeded; `every_ms` is the pause after failures. */
  pause_ms: number
  /** Runs one round, and returns whether there may be more to do at once. */
  run: () => Promise<{ more: boolean }>
}
export type RunnerState = {
  name: string
  running: boolean
  rounds: number
  failures_in_a_row: number
  last_error: string | null
  /** Milliseconds since the round under way began, or null if none is. */
  round_ms: number | null
}
export type Runner = {
  wake: () => void
  /** Wakes the job early, unless it waits after a failure. */
  due: () => void
  state: () => RunnerState
  /** Begins no new round; resolves when the one in progress is over. */
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

/** The random share of an interval, so that nodes and jobs do not all run at the same moment. */
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
export function startRunner(work: Work, parts: RunnerParts): Runner {
  const loop = new JobLoop(work, parts)
  const ended = loop.run()
  return {
    wake: () => loop.wake(),
    due: () => {
      if (loop.state().failures_in_a_row === 0) loop.wake()
    },
    state: () => loop.state(),
    stop: () => {
      loop.end()
      return ended
    },
  }
}

class JobLoop {
  readonly #work: Work
  readonly #parts: RunnerParts
  readonly #wakeUp = new AutoResetEvent()
  readonly #shown: Omit<RunnerState, 'round_ms'>
  #round_began_ms: number | null = null
  #stopping = false
  /** Whether the last claim was not answered, which is logged once. */
  #away = false
  /** Whether the job was woken since the last claim that was answered. */
  #woken = false

  constructor(work: Work, parts: RunnerParts) {
    this.#work = work
    this.#parts = parts
    this.#shown = { name: work.name, ...unstarted }
  }

  wake(): void {
    this.#wakeUp.signal()
  }

  end(): void {
    this.#stopping = true
    this.#wakeUp.signal()
  }

  state(): RunnerState {
    const began_ms = this.#round_began_ms
    return { ...this.#shown, round_ms: began_ms === null ? null : monotonicMs() - began_ms }
  }

  async run(): Promise<void> {
    while (!this.#stopping) {
      const wait_ms = await this.#turn().catch((error) => this.#unclaimed(error))
      if (!this.#stopping) await this.#wakeUp.wait(wait_ms)
    }
  }

  async #turn(): Promise<number> {
    const { name, every_ms, per_node } = this.#work
    const { sql, lease_ms } = this.#parts
    this.#woken = this.#wakeUp.reset() || this.#woken
    if (per_node) return this.#runHeld(null)
    const claimed = await claim(sql, { name, every_ms, lease_ms, woken: this.#woken })
    this.#away = false
    this.#woken = false
    if ('token' in claimed) return this.#runHeld(claimed)
    return Math.min(claimed.wait_ms, every_ms, longest_wait_ms) + jitter(every_ms)
  }

  /** Runs the job; the milliseconds until it is due again. */
  async #runHeld(lease: Lease | null): Promise<number> {
    const wait_ms = await this.#rounds(() => lease === null || lease.held()).then(
      () => this.#succeeded(),
      (error) => this.#failed(error),
    )
    await lease?.finish(wait_ms, this.#shown.last_error)
    return wait_ms
  }

  async #rounds(held: () => boolean): Promise<void> {
    const shown = this.#shown
    shown.running = true
    try {
      for (let more = true; more && !this.#stopping && held(); shown.rounds += 1) {
        this.#round_began_ms = monotonicMs()
        more = (await this.#work.run()).more
      }
      if (held()) return
      this.#parts.log.warn({ job: shown.name }, 'job ran longer than its lease could be kept')
    } finally {
      shown.running = false
      this.#round_began_ms = null
    }
  }

  #succeeded(): number {
    const { pause_ms } = this.#work
    this.#shown.failures_in_a_row = 0
    this.#shown.last_error = null
    return pause_ms + jitter(pause_ms)
  }

  #failed(error: unknown): number {
    const shown = this.#shown
    shown.failures_in_a_row += 1
    shown.last_error = error instanceof Error ? error.message : String(error)
    const wait_ms = backoff(this.#work.every_ms, shown.failures_in_a_row)
    this.#parts.log.error({ err: error, job: shown.name, again_in_ms: wait_ms }, 'job failed')
    return wait_ms
  }

  /** The lease could not be acquired or released: the database is down. */
  #unclaimed(error: unknown): number {
    const { name, every_ms } = this.#work
    if (!this.#away) this.#parts.log.warn({ err: error, job: name }, 'job waits for the database')
    this.#away = true
    return Math.min(every_ms, longest_away_ms) + jitter(longest_away_ms)
  }
}
