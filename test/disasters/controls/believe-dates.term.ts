// Term verification without the verification.

import type { Purchased } from '../../../src/capabilities/domains/orders/reconcile/reconcile.ts'
import type {
  Circumstances,
  Term,
} from '../../../src/capabilities/domains/orders/reconcile/term-verification.ts'

export * from '../../../src/capabilities/domains/orders/reconcile/term-verification.ts'

type Command = { period_years: number }

function believe({ period_years: years }: Command, { expires_at }: Purchased): Term {
  const date = new Date(expires_at)
  return { paid_until: date, years, registry_expiry: date, mismatch: null }
}

type Verify = (command: Command, purchased: Purchased, circumstances: Circumstances) => Term

export const registeredTerm: Verify = believe
export const renewedTerm: Verify = believe
export const transferredTerm: Verify = believe
export const restoredTerm: Verify = believe
