// The faults of the simulated mail server.
import { FaultInjector } from '../support/fault-injection.ts'

/** The effect of each fault; `refuse_...` replies with `code`, which is 4xx or 5xx. */
export const FAULTS = {
  refuse_recipient: 'RCPT TO is answered with `code` (550 if not given).',
  refuse_content: 'The end of DATA is answered with `code` (554 if not given); nothing is kept.',
  refuse_connection: 'The greeting is `code` (421 if not given).',
  refuse_login: 'AUTH is answered with `code` (535 if not given).',
  drop_after_data: 'The mail is kept, and the connection is cut before the 250.',
  slow: 'The answer to the end of DATA takes `delay_ms` (1000 if not given).',
} as const
export type FaultName = keyof typeof FAULTS

export type Fault = {
  name: FaultName
  code?: number
  delay_ms?: number
  /** The fault applies only to mails to this address. */
  to?: string
  /** How many times the fault applies: once by default, or until it is cleared if null. */
  times?: number | null
}

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name)
}

export class Faults extends FaultInjector<Fault> {
  /** @throws RangeError when `times` is no count, or `code` is no negative reply */
  override set(fault: Fault): void {
    const { code } = fault
    if (code !== undefined && !(Number.isInteger(code) && code >= 400 && code <= 599))
      throw new RangeError('code is 400 to 599')
    super.set(fault)
  }

  /** The fault of this name that is armed for mail to these addresses; its count goes down. */
  take(name: FaultName, to: readonly string[] = []): Fault | null {
    return this.takeFirst(
      (fault) => fault.name === name && (fault.to === undefined || to.includes(fault.to)),
    )
  }
}
