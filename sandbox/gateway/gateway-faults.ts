// The faults of the simulated BTCPay Server.
import { FaultInjector } from '../support/fault-injection.ts'

/** The effect of each; on every request unless `command` names one. */
export const FAULTS = {
  silent: { does: 'never answers, and does nothing' },
  slow: { does: 'answers after delay_ms' },
  fail_500: { does: 'answers 500, and does nothing' },
  lost_500: { does: 'does what was asked, and answers 500' },
  drop_after: { does: 'does what was asked, and closes the connection' },
  half_answer: { does: 'sends half an answer, and closes the connection' },
  garbage: { does: 'answers with a page that is no JSON' },
  huge: { does: 'answers with 10 MB' },
  redirect: { does: 'answers 302 to /elsewhere' },
  wrong_amount: { does: 'answers with ten times each amount' },
  negative_amount: { does: 'answers with negative amounts' },
  too_many_decimals: { does: 'answers with amounts finer than the base unit' },
  other_currency: { does: 'answers with other currencies' },
  other_destination: { does: 'answers with other addresses' },
  other_invoice: { does: 'answers with the id of another invoice' },
  no_payments: { does: 'answers as if nothing had been paid' },
  payment_twice: { does: 'answers with each payment twice' },
  webhook_never: { does: 'sends no webhook for an event' },
  webhook_repeated: { does: 'sends an event `copies` times (100)' },
  webhook_reversed: { does: 'keeps an event back until a later one was sent' },
  webhook_bad_signature: { does: 'signs an event with another secret' },
} as const
export type FaultName = keyof typeof FAULTS

export type Fault = {
  name: FaultName
  /** `invoice:create`, `invoice:read`, `invoice:list`, `methods:read`, `rates:read`, ... */
  command?: string
  /** How many times; null: until cleared. Once if left out. */
  times?: number | null
  delay_ms?: number
  copies?: number
}

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name)
}

export class Faults extends FaultInjector<Fault> {
  /** The fault that is armed for a request, counted down. */
  ofRequest(command: string): Fault | null {
    return this.takeFirst(
      (fault) =>
        !fault.name.startsWith('webhook_') &&
        (fault.command === undefined || fault.command === command),
    )
  }

  /** The fault that is armed for an event, such as `InvoiceSettled`. */
  ofEvent(type: string): Fault | null {
    return this.takeFirst(
      (fault) =>
        fault.name.startsWith('webhook_') &&
        (fault.command === undefined || fault.command === type),
    )
  }
}
