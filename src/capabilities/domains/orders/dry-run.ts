// The answer to a dry run: what a purchase would be, the checks that could not be made without
// ordering it, and nothing done.
import type { Registry } from '../../../adapters/registry/port.ts'
import { orderedFacts, presentDomain } from '../holdings/domain-presenter.ts'
import { goAhead } from '../holdings/state-model.ts'
import type { DomainAction } from '../holdings/state-rules.ts'
import type { DomainStatus, uncheckedNames } from '../schemas.ts'

type Unchecked = (typeof uncheckedNames)[number]
export type Planned = {
  operation: Extract<
    DomainAction,
    'register_domain' | 'renew_domain' | 'transfer_domain' | 'restore_domain'
  >
  registry: Registry
  price: NonNullable<DomainStatus['price']>
}

const words: Readonly<Record<Unchecked, string>> = {
  contacts: 'Whether the registry takes the contacts: they are sent with the order.',
  nameservers: 'Whether the registry takes the name servers: they are sent with the order.',
  auth_code: 'Whether the authorization code is right: only the order itself tells.',
  transfer_lock: 'Whether a lock, or the 60 days after a registration, stands against a transfer.',
  registry_acceptance: 'Whether a rule of the registry stands against the order.',
}

function uncheckedOf({ operation, registry }: Planned): Unchecked[] {
  const people: Unchecked[] = registry.profile.contacts === 'prohibited' ? [] : ['contacts']
  switch (operation) {
    case 'register_domain':
      return [...people, 'nameservers', 'registry_acceptance']
    case 'transfer_domain':
      return ['auth_code', 'transfer_lock', ...people, 'nameservers', 'registry_acceptance']
    case 'renew_domain':
    case 'restore_domain':
      return ['registry_acceptance']
  }
}

/** Of a domain that is held: its facts as they are, but for the status. */
export function dryRunOf(held: DomainStatus, planned: Planned): DomainStatus {
  return {
    ...held,
    status: 'dry_run',
    price: planned.price,
    dry_run: true,
    not_checked: uncheckedOf(planned).map((check) => ({ check, detail: words[check] })),
    next_actions: [goAhead(planned.operation)],
  }
}

/** Of a domain that is not held yet. */
export function dryRunOfNew(domain: string, command: object, planned: Planned): DomainStatus {
  const fresh = presentDomain(domain, {
    ...orderedFacts({ command }),
    status: 'dry_run',
    next_actions: [],
  })
  return dryRunOf(fresh, planned)
}
