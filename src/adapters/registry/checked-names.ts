// Answers of the registry port about names and their fees (RFC 8748).
import type { DomainName } from '../../kit/random.ts'

/** A queue never lets background work pass a purchase. */
export const priorities = ['purchase', 'normal', 'background'] as const
export type Priority = (typeof priorities)[number]

/** Decimal strings as the registry wrote them, each for everything that is ordered. */
export type RegistryFee = { currency: string; amount: string }
export const feeVerbs = ['create', 'renew', 'transfer', 'restore'] as const
export type FeeVerb = (typeof feeVerbs)[number]
/** The total for 1 year, or for the requested years; `restore` is the price of the restore. */
export type Fees = { currency: string } & Record<FeeVerb, string | null>
export type Prices = { currency: string } & Record<FeeVerb, string>

export type CheckedName = {
  domain: DomainName
  /** It is null if unknown (then the answer is `unreachable`). */
  available: boolean | null
  /**
   * Why it is not available: registered, reserved, premium, or null for words that we do not know.
   */
  reason: string | null
  premium: boolean
  fees: Fees | null
  unreachable: boolean
  /** The words of a registry that takes no such name. Then `available` is false. */
  refused: string | null
}

/**
 * `fees`: true requests those of create and renew, and a list requests just those in it.
 * `period_years` counts for create and renew, and is 1 if left out.
 */
export type CheckOptions = {
  priority: Priority
  fees: boolean | readonly FeeVerb[]
  period_years?: number
}
