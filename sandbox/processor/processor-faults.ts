// The faults of the simulated Stripe.
import { FaultInjector } from '../support/fault-injection.ts'
import { HTTP_FAULTS } from '../support/http-faults.ts'
import { WEBHOOK_FAULTS } from '../support/webhook-sender.ts'

/** The effect of each fault. It applies to every request unless `command` names one. */
export const FAULTS = {
  ...HTTP_FAULTS,
  rate_limited: { does: 'answers 429, and does nothing' },
  wrong_amount: { does: 'answers with ten times each amount' },
  fraction: { does: 'answers with amounts that are not whole numbers' },
  other_currency: { does: 'answers with other currencies' },
  other_id: { does: 'answers with other ids' },
  unknown_word: { does: 'answers with statuses that are not documented yet' },
  other_mode: { does: 'answers with sessions of another mode, which have no amount' },
  unpaid: { does: 'answers that sessions are not paid' },
  other_intent: { does: 'answers with other payment intents' },
  endless_list: { does: 'answers that each page of a list has another after it' },
  ...WEBHOOK_FAULTS,
} as const
type FaultName = keyof typeof FAULTS

export type Fault = {
  name: FaultName
  /**
   * A command such as `session:create`, `session:read` or `refund:list`; for a webhook, the event's
   * type.
   */
  command?: string
  /** How many times the fault applies: once by default, or until it is cleared if null. */
  times?: number | null
  delay_ms?: number
  copies?: number
}

export class Faults extends FaultInjector<Fault> {
  /** The fault that is armed for a request or an event; its count goes down. */
  take(kind: 'request' | 'webhook', command: string): Fault | null {
    return this.takeFirst(
      (fault) =>
        fault.name.startsWith('webhook_') === (kind === 'webhook') &&
        (fault.command === undefined || fault.command === command),
    )
  }
}

const falsified: Partial<Record<FaultName, (name: string, value: unknown) => unknown>> = {
  wrong_amount: (name, value) =>
    name.startsWith('amount') && typeof value === 'number' ? value * 10 : value,
  fraction: (name, value) =>
    name.startsWith('amount') && typeof value === 'number' ? value + 0.5 : value,
  other_currency: (name, value) => (name === 'currency' ? 'gbp' : value),
  other_id: (name, value) => (name === 'id' ? `${value}x` : value),
  unknown_word: (name, value) => (name.endsWith('status') ? 'brand_new' : value),
  other_mode: (name, value) =>
    name === 'mode' ? 'setup' : ['amount_total', 'currency'].includes(name) ? null : value,
  unpaid: (name, value) => (name === 'payment_status' ? 'unpaid' : value),
  other_intent: (name, value) => (name === 'payment_intent' && value ? 'pi_another' : value),
  endless_list: (name, value) => (name === 'has_more' ? true : value),
}

/** The answer with its false values, for each fault. */
export function falsify(name: FaultName, value: unknown): unknown {
  const change = falsified[name]
  if (!change) return value
  const walk = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(walk)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(
      Object.entries(one).map(([key, part]) => [key, walk(change(key, part))]),
    )
  }
  return walk(value)
}
