// The faults of the simulated Openprovider and their selector.
import type { ByzantineAnswer } from '../support/byzantine-answers.ts'
import {
  BYZANTINE_FAULTS,
  COMMON_FAULTS,
  type FaultEffect,
  FaultInjector,
} from '../support/fault-injection.ts'

const API_FAULTS = {
  ...COMMON_FAULTS,
  garbage: { applies: 'first', does: 'applies, answers with a page that is not JSON' },
  half_answer: { applies: 'first', does: 'applies, sends half of the answer, closes' },
  fail_500: { applies: 'never', does: 'answers HTTP 500 without a reason' },
  lost_500: { applies: 'first', does: 'applies, answers HTTP 500 without a reason' },
  maintenance: { applies: 'never', does: 'answers 4005, in maintenance' },
  too_many: { applies: 'never', does: 'answers HTTP 429' },
  credit_gone: { applies: 'never', does: 'answers 310' },
  refuse_513: { applies: 'never', does: 'answers 513' },
  purge_token: { applies: 'never', does: 'answers 196: the token is no longer valid' },
} as const satisfies Record<string, FaultEffect>

export type ApiFaultName = keyof typeof API_FAULTS
export type FaultName = ApiFaultName | ByzantineAnswer

export const FAULTS: Readonly<Record<string, FaultEffect>> = { ...API_FAULTS, ...BYZANTINE_FAULTS }

/** A fault to arm. A selector that is left out matches everything except log-ins. */
export type Fault = {
  name: FaultName
  /** A command such as 'domain:create', 'contact:create' or 'login'. */
  command?: string
  /** A name (or handle) that the request carries. */
  domain?: string
  /** How many requests the fault hits: one by default, or all until it is cleared if null. */
  times?: number | null
  /** The delay of slow and apply_later, 500 by default. */
  delay_ms?: number
}

type Subject = { command: string; objects: string[] }

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name)
}

export class Faults extends FaultInjector<Fault> {
  /** The first armed fault for this request, or null if none matches. Its count goes down. */
  take({ command, objects }: Subject): Fault | null {
    return this.takeFirst(
      (fault) =>
        (fault.command === undefined ? command !== 'login' : fault.command === command) &&
        (fault.domain === undefined || objects.includes(fault.domain.toLowerCase())),
    )
  }
}
