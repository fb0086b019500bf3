// Fault injection: faults are armed by name and selector, and the first that matches a request is
// applied to it and counted down.
import { BYZANTINE_ANSWERS } from './byzantine-answers.ts'

/** `applies` says whether the request takes effect, and when. */
export type FaultEffect = { applies: 'never' | 'first' | 'later'; does: string }
type Armable = { name: string; times?: number | null }

export const DEFAULT_DELAY_MS = 500

/** The faults of every registry. */
export const COMMON_FAULTS = {
  drop_before: { applies: 'never', does: 'closes the connection without an answer' },
  drop_after: { applies: 'first', does: 'applies, then closes without an answer' },
  apply_later: { applies: 'later', does: 'closes at once, applies after delay_ms' },
  slow: { applies: 'first', does: 'applies, answers after delay_ms' },
} as const satisfies Record<string, FaultEffect>

export const BYZANTINE_FAULTS: Readonly<Record<string, FaultEffect>> = Object.fromEntries(
  BYZANTINE_ANSWERS.map((name): [string, FaultEffect] => {
    const applies = name === 'name_not_done' ? 'never' : 'first'
    return [name, { applies, does: `answers with ${name.replaceAll('_', ' ')}` }]
  }),
)

export class FaultInjector<Fault extends Armable> {
  #armed: { fault: Fault; left: number }[] = []

  /** Arms a fault, once by default. @throws RangeError when `times` is no count */
  set(fault: Fault): void {
    const { times = 1 } = fault
    if (times !== null && !(Number.isInteger(times) && times > 0))
      throw new RangeError('times is a whole number above 0, or null')
    this.#armed.push({ fault, left: times ?? Number.POSITIVE_INFINITY })
  }

  clear(): void {
    this.#armed = []
  }

  list(): Fault[] {
    return this.#armed.map(({ fault, left }) => {
      return { ...fault, times: Number.isFinite(left) ? left : null }
    })
  }

  /** The first armed fault that matches, or null if none does. Its count goes down. */
  protected takeFirst(matches: (fault: Fault) => boolean): Fault | null {
    const found = this.#armed.find(({ fault }) => matches(fault))
    if (!found) return null
    found.left -= 1
    if (found.left <= 0) this.#armed = this.#armed.filter((each) => each !== found)
    return found.fault
  }
}
