// Fault injection: faults by name, selector and number of requests.
import { BYZANTINE_ANSWERS, type ByzantineAnswer } from '../registry/faults/byzantine-answers.ts'

type Effect = { applies: 'never' | 'first' | 'later'; does: string }

const BASIC_FAULTS = {
  drop_before: { applies: 'never', does: 'closes the connection without an answer' },
  drop_after: { applies: 'first', does: 'applies, then closes without an answer' },
  apply_later: { applies: 'later', does: 'closes at once, applies after delay_ms' },
  slow: { applies: 'first', does: 'applies, answers after delay_ms' },
  garbage: { applies: 'first', does: 'applies, answers with a page that is no JSON' },
  half_answer: { applies: 'first', does: 'applies, sends half of the answer, closes' },
  fail_500: { applies: 'never', does: 'answers HTTP 500 without a reason' },
  lost_500: { applies: 'first', does: 'applies, answers HTTP 500 without a reason' },
  maintenance: { applies: 'never', does: 'answers 4005, in maintenance' },
  too_many: { applies: 'never', does: 'answers HTTP 429' },
  credit_gone: { applies: 'never', does: 'answers 310' },
  refuse_513: { applies: 'never', does: 'answers 513' },
  purge_token: { applies: 'never', does: 'answers 196: the token is no longer valid' },
} as const satisfies Record<string, Effect>

export type BasicFaultName = keyof typeof BASIC_FAULTS
export type FaultName = BasicFaultName | ByzantineAnswer

const byzantine = BYZANTINE_ANSWERS.map((name): [string, Effect] => {
  const applies = name === 'name_not_done' ? 'never' : 'first'
  return [name, { applies, does: `answers with ${name.replaceAll('_', ' ')}` }]
})

export const FAULTS: Readonly<Record<string, Effect>> = {
  ...BASIC_FAULTS,
  ...Object.fromEntries(byzantine),
}

/** A fault to arm. A part left out matches everything but log-ins. */
export type Fault = {
  name: FaultName
  /** 'domain:create', 'contact:create', 'login' ... */
  command?: string
  /** A name (or handle) that the request carries. */
  domain?: string
  /** How many requests it hits; 1 when left out, null: until it is cleared. */
  times?: number | null
  /** For slow and apply_later; 500 when left out. */
  delay_ms?: number
}

type Subject = { command: string; objects: string[] }

export const DEFAULT_DELAY_MS = 500

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name)
}

export class Faults {
  #armed: (Fault & { left: number })[] = []

  /** @throws RangeError when `times` is no count */
  set(fault: Fault): void {
    const { times = 1 } = fault
    if (times !== null && !(Number.isInteger(times) && times > 0))
      throw new RangeError('times is a whole number above 0, or null')
    this.#armed.push({ ...fault, left: times ?? Number.POSITIVE_INFINITY })
  }

  clear(): void {
    this.#armed = []
  }

  list(): Fault[] {
    return this.#armed.map(({ left, ...fault }) => {
      return { ...fault, times: Number.isFinite(left) ? left : null }
    })
  }

  /** The first armed fault for this request, used up by one; null when none fits. */
  take({ command, objects }: Subject): Fault | null {
    const found = this.#armed.find(
      (fault) =>
        (fault.command === undefined ? command !== 'login' : fault.command === command) &&
        (fault.domain === undefined || objects.includes(fault.domain.toLowerCase())),
    )
    if (!found) return null
    found.left -= 1
    if (found.left <= 0) this.#armed = this.#armed.filter((each) => each !== found)
    return found
  }
}
