// The expiry that an order leads to at a registry that shows none (`expiry: computed` in its entry;
// exDate is optional in RFC 5731), by the date of creation and the bought years. Pure.
import type { Outcome, RegistryDomain } from '../../../../adapters/registry/port.ts'
import { addYears } from '../../../../kit/clock.ts'
import { compile, wordOf } from '../../../../kit/schema.ts'
import { nextAnniversary } from '../../holdings/shown-expiry.ts'
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

/** A reading with the expiry to which its order leads, if the registry shows none. */
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
    // The registry does not show whether it has moved since.
    case 'renew':
      return new Date(readRenew.parse(command).registry_expiry)
    case 'restore': {
      const { registry_expiry, paid_until } = readRestore.parse(command)
      return new Date(registry_expiry ?? paid_until)
    }
  }
}
