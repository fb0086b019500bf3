// Backoff of the polls of each registry: rounds without a readable answer come at growing
// intervals, as each may cost a log-in, and after some of them an alarm is raised.

import { type BackoffRange, backoffMs } from '../../../kit/concurrency/backoff.ts'

declare module '../../../app.ts' {
  interface App {
    pollRounds: PollRounds
  }
}

/** The pause between rounds, from the third failure in a row on. */
const pause: BackoffRange = { first_ms: 4_000, longest_ms: 60_000 }
const failures_at_once = 2
const failures_before_alarm = 5

/** The rounds by the name of a registry, with times of `app.monotonic_ms`. */
export class PollRounds {
  readonly #failing = new Map<string, { failures: number; next_ms: number }>()

  isDue(registry: string, now_ms: number): boolean {
    return now_ms >= (this.#failing.get(registry)?.next_ms ?? 0)
  }

  /** Notes a failure; returns whether it is time for an alarm. */
  failed(registry: string, now_ms: number): boolean {
    const failures = (this.#failing.get(registry)?.failures ?? 0) + 1
    const next_ms = now_ms + backoffMs(failures - failures_at_once, pause)
    this.#failing.set(registry, { failures, next_ms })
    return failures >= failures_before_alarm
  }

  answered(registry: string): void {
    this.#failing.delete(registry)
  }
}
