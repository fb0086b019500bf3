// Answers of the registry port about names and their fees (RFC 8748).

/** A queue never lets background pass a purchase. */
export const priorities = ['purchase', 'normal', 'background'] as const
export type Priority = (typeof priorities)[number]

/** Decimal strings as the registry wrote them, in all for what is ordered. */
export type RegistryFee = { currency: string; amount: string }
export const feeVerbs = ['create', 'renew', 'transfer', 'restore'] as const
export type FeeVerb = (typeof feeVerbs)[number]
/** In all for 1 year, or for the years that were asked for; `restore` for the restore. */
export type Fees = { currency: string } & Record<FeeVerb, string | null>
export type Prices = { currency: string } & Record<FeeVerb, string>

export type CheckedName = {
  domain: string
  /** null: not known (then `unreachable`). */
  available: boolean | null
  /** Why not available: registered, reserved, premium, or null for words that we do not know. */
  reason: string | null
  premium: boolean
  fees: Fees | null
  unreachable: boolean
  /** The registry takes no such name: its words. Then `available` is false. */
  refused: string | null
}

/**
 * `fees`: true asks for create and renew; a list asks for just those. `period_years`: of create and
 * renew; 1 if left out.
 */
export type CheckOptions = {
  priority: Priority
  fees: boolean | readonly FeeVerb[]
  period_years?: number
}
