// The expiry at a registry that shows none (`expiry: computed` in its entry; exDate is optional in
// RFC 5731): that of its date of creation and of the years that were bought. Pure.
import type { Outcome, RegistryDomain } from '../../../../adapters/registry/port.ts'
import { addYears } from '../../../../kit/clock.ts'
import { compile, wordOf } from '../../../../kit/schema.ts'
import {
  orderTypes,
  registerCommand,
  renewCommand,
  restoreCommand,
  transferCommand,
  yearsAdded,
} from '../order.ts'

type Ordered = { type: string; command: unknown }

const readRegister = compile(registerCommand)
const readRenew = compile(renewCommand)
const readTransfer = compile(transferCommand)
const readRestore = compile(restoreCommand)

/** The first of `date` and the same day of each later year that is after `now`. */
function nextAnniversary(date: Date, now: Date): Date {
  let years = Math.max(0, now.getUTCFullYear() - date.getUTCFullYear())
  while (addYears(date, years) <= now) years += 1
  return addYears(date, years)
}

/**
 * The expiry of a holding by a reading: where none is shown, the one that is known, and for each
 * year that has run out since, another, as the registry renews by itself.
 */
export function shownExpiry(
  { expires_at, expiry_computed }: Pick<RegistryDomain, 'expires_at' | 'expiry_computed'>,
  known: Date,
  now: Date,
): Date {
  return expiry_computed ? nextAnniversary(known, now) : new Date(expires_at)
}

/** A reading with the expiry that its order leads to, where the registry shows none. */
export function datedByOrder(order: Ordered, found: RegistryDomain, now: Date): RegistryDomain {
  if (!found.expiry_computed) return found
  return { ...found, expires_at: dueOf(order, found, now).toISOString() }
}

export function datedRead(
  order: Ordered,
  read: Outcome<RegistryDomain>,
  now: Date,
): Outcome<RegistryDomain> {
  return read.kind === 'done' ? { ...read, value: datedByOrder(order, read.value, now) } : read
}

function dueOf({ type, command }: Ordered, { created_at }: RegistryDomain, now: Date): Date {
  const created = new Date(created_at)
  switch (wordOf(orderTypes, type)) {
    case 'register':
      return addYears(created, readRegister.parse(command).period_years)
    case 'transfer':
      return addYears(nextAnniversary(created, now), yearsAdded(readTransfer.parse(command)))
    // Whether it has moved since is not shown.
    case 'renew':
      return new Date(readRenew.parse(command).registry_expiry)
    case 'restore': {
      const { registry_expiry, paid_until } = readRestore.parse(command)
      return new Date(registry_expiry ?? paid_until)
    }
  }
}
