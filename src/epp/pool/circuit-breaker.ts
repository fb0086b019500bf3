// Circuit breaker of a pool: no new session for growing intervals after failures, and a lower
// ceiling after the registry's session limit.
import { type BackoffRange, backoffMs } from '../../kit/concurrency/backoff.ts'
import { EppError } from '../errors.ts'

const failures_before_open = 3
const open_for: BackoffRange = { first_ms: 1_000, longest_ms: 300_000 }
/** The pause after 2502, for which at least 30 s are recommended. */
const limited_for_ms = 30_000

export class CircuitBreaker {
  readonly #sessions: number
  readonly #now: () => number
  #ceiling: number
  #failures = 0
  #times_opened = 0
  #open_until = 0
  #limited_until = 0
  #last: EppError | null = null

  constructor(sessions: number, now: () => number) {
    this.#sessions = sessions
    this.#ceiling = sessions
    this.#now = now
  }

  /** The last failure, until a session is opened. */
  get last(): EppError | null {
    return this.#last
  }

  /** No session can be opened now, after failures or because of the registry's session limit. */
  get open(): boolean {
    const now = this.#now()
    return (
      now < this.#limited_until ||
      (this.#failures >= failures_before_open && now < this.#open_until)
    )
  }

  /** How many more sessions may be opened now, besides those that are open or being opened. */
  allowance({ alive, opening }: { alive: number; opening: number }): number {
    const now = this.#now()
    if (now < this.#limited_until) return 0
    // Then one session above the ceiling is tried, and its result raises the ceiling or not.
    const free = Math.min(this.#sessions, this.#ceiling + 1) - alive - opening
    if (this.#failures < failures_before_open) return Math.max(0, free)
    // The breaker is half open, with one probe at a time.
    return now >= this.#open_until && opening === 0 && free > 0 ? 1 : 0
  }

  opened(): void {
    this.#last = null
    this.#ceiling = Math.min(this.#sessions, this.#ceiling + 1)
  }

  /**
   * A session has answered its first command. A log-in alone proves nothing, because at a server
   * that loses each log-in at once, the pool would log in without end.
   */
  proven(): void {
    this.#failures = 0
    this.#times_opened = 0
  }

  /**
   * A session could not be opened, or its log-in was lost at once. `alive` is the number of open
   * sessions.
   */
  failed(error: EppError, alive: number): void {
    this.#last = error
    if (error.failure === 'session_limit') {
      this.limited(alive)
      return
    }
    if (error.failure === 'authentication') {
      this.authenticationFailed(error)
      return
    }
    this.#failures += 1
    // Several sessions that fail together count as one failure for the backoff.
    const paused = this.#now() < this.#open_until
    if (this.#failures < failures_before_open || paused) return
    this.#times_opened += 1
    this.#openFor(backoffMs(this.#times_opened, open_for))
  }

  /**
   * 2502: fewer sessions are used from now on and none is opened for a while; then one more is
   * tried at a time.
   */
  limited(alive: number): void {
    this.#ceiling = Math.max(1, Math.min(this.#sessions, alive))
    this.#limited_until = this.#now() + limited_for_ms
  }

  /**
   * 2200, 2501: opens the circuit for the longest interval at once, because registries lock
   * accounts after repeated failures.
   */
  authenticationFailed(error: EppError): void {
    this.#last = error
    this.#failures = Math.max(this.#failures, failures_before_open)
    this.#openFor(open_for.longest_ms)
  }

  /** Why nothing can be opened now, for the waiting commands. */
  refusal(): EppError {
    const last = this.#last
    const known = last?.failure === 'authentication' || last?.failure === 'session_limit'
    const limited = this.#now() < this.#limited_until
    const failure = known ? last.failure : limited ? 'session_limit' : 'circuit_open'
    const code = last?.code ?? undefined
    return new EppError(failure, `No session: ${last?.message ?? 'the registry allows no more'}`, {
      cause: last,
      ...(code !== undefined && { code }),
    })
  }

  #openFor(interval_ms: number): void {
    this.#open_until = Math.max(this.#open_until, this.#now() + interval_ms)
  }
}
