// The faults of the simulated BTCPay Server.
import { FaultInjector } from '../support/fault-injection.ts'
import { HTTP_FAULTS } from '../support/http-faults.ts'
import { WEBHOOK_FAULTS } from '../support/webhook-sender.ts'

/** The effect of each fault. It applies to every request unless `command` names one. */
export const FAULTS = {
  ...HTTP_FAULTS,
  wrong_amount: { does: 'answers with ten times each amount' },
  negative_amount: { does: 'answers with negative amounts' },
  too_many_decimals: { does: 'answers with amounts finer than the base unit' },
  other_currency: { does: 'answers with other currencies' },
  other_destination: { does: 'answers with other addresses' },
  other_invoice: { does: 'answers with the id of another invoice' },
  no_payments: { does: 'answers as if nothing had been paid' },
  payment_twice: { does: 'answers with each payment twice' },
  ...WEBHOOK_FAULTS,
} as const
export type FaultName = keyof typeof FAULTS

export type Fault = {
  name: FaultName
  /**
   * A command such as `invoice:create`, `invoice:read`, `invoice:list`, `methods:read` or
   * `rates:read`.
   */
  command?: string
  /** How many times the fault applies: once by default, or until it is cleared if null. */
  times?: number | null
  delay_ms?: number
  copies?: number
}

export class Faults extends FaultInjector<Fault> {
  /** The fault that is armed for a request; its count goes down. */
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
