// Fault injection: faults by name, selector and number of commands.
import { BYZANTINE_ANSWERS, type ByzantineAnswer } from './byzantine-answers.ts'

type Effect = { applies: 'never' | 'first' | 'later'; does: string }

const BASIC_FAULTS = {
  drop_before: { applies: 'never', does: 'closes the connection without an answer' },
  drop_after: { applies: 'first', does: 'applies, then closes without an answer' },
  apply_later: { applies: 'later', does: 'closes at once, applies after delay_ms' },
  slow: { applies: 'first', does: 'applies, answers after delay_ms' },
  garbage: { applies: 'first', does: 'applies, answers with a frame that is no XML' },
  half_frame: { applies: 'first', does: 'applies, sends half of the answer, closes' },
  fail_2400: { applies: 'never', does: 'answers 2400' },
  session_limit: { applies: 'never', does: 'answers 2502 and closes' },
  credit_gone: { applies: 'never', does: 'answers 2104' },
  refuse_2306: { applies: 'never', does: 'answers 2306' },
  answer: { applies: 'never', does: 'answers the result code in `code`, with `reason`' },
} as const satisfies Record<string, Effect>

export type FaultName = keyof typeof BASIC_FAULTS | ByzantineAnswer

const byzantine = BYZANTINE_ANSWERS.map((name): [string, Effect] => {
  const applies = name === 'name_not_done' ? 'never' : 'first'
  return [name, { applies, does: `answers with ${name.replaceAll('_', ' ')}` }]
})

/** All faults. `applies` says whether, and when, the command takes effect. */
export const FAULTS: Readonly<Record<string, Effect>> = {
  ...BASIC_FAULTS,
  ...Object.fromEntries(byzantine),
}

/** A fault to arm. A part left out matches everything. */
export type Fault = {
  name: FaultName
  registry?: 'thin' | 'thick'
  /** 'domain:create', 'poll', 'login' ... Left out: all but hello, login and logout. */
  command?: string
  /** A name (or contact id) that the command carries. */
  domain?: string
  registrar?: string
  /** How many commands it hits; 1 when left out, null: until it is cleared. */
  times?: number | null
  /** For slow and apply_later; 500 when left out. */
  delay_ms?: number
  /** For answer: a result code of RFC 5730, and its extValue reason. */
  code?: number
  reason?: string
}

type Armed = Fault & { left: number }
type Subject = { registry: string; command: string; objects: string[]; registrar: string | null }

export const DEFAULT_DELAY_MS = 500
const EXCLUDED = new Set(['hello', 'login', 'logout'])

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name)
}

export class Faults {
  #armed: Armed[] = []

  /** Arms a fault. @throws RangeError when `times` is no count, or `code` no result code */
  set(fault: Fault): void {
    const { times = 1 } = fault
    if (times !== null && !(Number.isInteger(times) && times > 0)) {
      throw new RangeError('times is a whole number above 0, or null')
    }
    const { name, code = 0 } = fault
    if (name === 'answer' && !(Number.isInteger(code) && code >= 1000 && code < 3000)) {
      throw new RangeError('code is a result code, 1000 to 2999')
    }
    const left = times ?? Number.POSITIVE_INFINITY
    this.#armed.push({ ...fault, left })
  }

  clear(): void {
    this.#armed = []
  }

  list(): Fault[] {
    return this.#armed.map(({ left, ...fault }) => {
      return { ...fault, times: Number.isFinite(left) ? left : null }
    })
  }

  /** The first armed fault for this command, used up by one; null when none fits. */
  take(subject: Subject): Fault | null {
    if (this.#armed.length === 0) return null
    const found = this.#armed.find((fault) => fits(fault, subject))
    if (found === undefined) return null
    found.left -= 1
    if (found.left <= 0) this.#armed = this.#armed.filter((each) => each !== found)
    return found
  }
}

function fits(fault: Fault, subject: Subject): boolean {
  const command =
    fault.command === undefined
      ? !EXCLUDED.has(subject.command) ||
        (fault.name === 'session_limit' && subject.command === 'login')
      : fault.command === subject.command
  return (
    command &&
    (fault.registry === undefined || fault.registry === subject.registry) &&
    (fault.registrar === undefined || fault.registrar === subject.registrar) &&
    (fault.domain === undefined || subject.objects.includes(fault.domain.toLowerCase()))
  )
}
