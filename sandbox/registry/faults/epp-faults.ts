// The faults of an EPP registry and their selector.
import type { ByzantineAnswer } from '../../support/byzantine-answers.ts'
import {
  BYZANTINE_FAULTS,
  COMMON_FAULTS,
  type FaultEffect,
  FaultInjector,
} from '../../support/fault-injection.ts'

// A new fault is a line here and in the table of ../README.md, and its effect in false-reply.ts (a
// false answer) or in ../server/session.ts (anything else).
const EPP_FAULTS = {
  ...COMMON_FAULTS,
  garbage: { applies: 'first', does: 'applies, answers with a frame that is not XML' },
  strange_text: { applies: 'first', does: 'applies, answers with a form feed in each msg' },
  unclosed: { applies: 'first', does: 'applies, answers with an element that is not closed' },
  half_frame: { applies: 'first', does: 'applies, sends half of the answer, closes' },
  fail_2400: { applies: 'never', does: 'answers 2400' },
  session_limit: { applies: 'never', does: 'answers 2502 and closes' },
  log_out: { applies: 'never', does: "logs all the registrar's sessions out, answers 2002" },
  credit_gone: { applies: 'never', does: 'answers 2104' },
  refuse_2306: { applies: 'never', does: 'answers 2306' },
  answer: { applies: 'never', does: 'answers the result code in `code`, with `reason`' },
} as const satisfies Record<string, FaultEffect>

export type FaultName = keyof typeof EPP_FAULTS | ByzantineAnswer

export const FAULTS: Readonly<Record<string, FaultEffect>> = { ...EPP_FAULTS, ...BYZANTINE_FAULTS }

/** A fault to arm. A selector that is left out matches everything. */
export type Fault = {
  name: FaultName
  registry?: 'thin' | 'thick'
  /**
   * A command such as 'domain:create' or 'poll'. If left out, the fault matches all commands but
   * hello, login and logout.
   */
  command?: string
  /** A name (or contact id) that the command carries. */
  domain?: string
  registrar?: string
  /** How many commands the fault hits: one by default, or all until it is cleared if null. */
  times?: number | null
  /** The delay of slow and apply_later, 500 by default. */
  delay_ms?: number
  /** The result code of RFC 5730 for `answer`, and its extValue reason. */
  code?: number
  reason?: string
}

type Subject = { registry: string; command: string; objects: string[]; registrar: string | null }

const EXCLUDED = new Set(['hello', 'login', 'logout'])

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name)
}

export class Faults extends FaultInjector<Fault> {
  /** @throws RangeError when `times` is no count, or `code` no result code */
  override set(fault: Fault): void {
    const { name, code = 0 } = fault
    if (name === 'answer' && !(Number.isInteger(code) && code >= 1000 && code < 3000))
      throw new RangeError('code is a result code, 1000 to 2999')
    super.set(fault)
  }

  /** The first armed fault for this command, or null if none matches. Its count goes down. */
  take(subject: Subject): Fault | null {
    return this.takeFirst((fault) => fits(fault, subject))
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
