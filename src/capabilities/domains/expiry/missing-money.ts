// Shortfall of a balance for the next year of a domain. Pure.
import { type Currency, currencies, formatAmount } from '../../../kit/money.ts'
import { wordOf } from '../../../kit/schema.ts'
import type { Plan } from '../runway/plan.ts'
import { dueBefore, shortfallOf } from '../runway/runway.ts'

/** Decimal amounts with their currency. */
export type Missing = { available: string; due: string; missing: string }

/**
 * The money that is missing for the renewal of a domain and for the automatic ones before it, which
 * the same balance pays; null if none is missing, or if the price is not known. A debt is part of
 * it.
 */
export function missingFor(
  { planned, balances }: Plan,
  term: { name: string; expiry: Date; currency: string },
): Missing | null {
  const currency: Currency = wordOf(currencies, term.currency)
  const own = planned.find(({ name }) => name === term.name)
  if (!own || own.price === null) return null
  const drawing = planned.filter((one) => one === own || one.auto_renew)
  // Domains that expire at the same moment are included.
  const until = new Date(term.expiry.getTime() + 1)
  const dueOf = (domains: typeof drawing) => dueBefore(domains, until).get(currency) ?? 0n
  const due = dueOf(drawing)
  const due_from_reserve = dueOf(drawing.filter(({ from_reserve }) => from_reserve))
  const { available = 0n, reserved = 0n, owed = 0n } = balances.get(currency) ?? {}
  const missing = shortfallOf({ available, reserved, owed }, { due, due_from_reserve })
  if (missing <= 0n) return null
  const text = (amount: bigint) => `${formatAmount(amount)} ${currency}`
  return { available: text(available), due: text(due + owed), missing: text(missing) }
}
