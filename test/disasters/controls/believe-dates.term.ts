// Term verification without the verification.

import type { Purchased } from '../../../src/capabilities/domains/orders/reconcile/reconcile.ts'
import type {
  Circumstances,
  Term,
} from '../../../src/capabilities/domains/orders/reconcile/term-verification.ts'

type Command = { period_years: number }

function believe({ period_years: years }: Command, { expires_at }: Purchased): Term {
  const date = new Date(expires_at)
  return { paid_until: date, years, registry_expiry: date, mismatch: null }
}

type Judge = (command: Command, purchased: Purchased, circumstances: Circumstances) => Term

export const registeredTerm: Judge = believe
export const renewedTerm: Judge = believe
export const transferredTerm: Judge = believe
export const restoredTerm: Judge = believe
