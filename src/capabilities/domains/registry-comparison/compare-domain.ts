// Comparison of one domain at a registry with the database. Pure. A finding is for the sync or for
// an operator, and says nothing about money.

import type { Outcome, RegistryDomain } from '../../../adapters/registry/port.ts'
import { dayOf } from '../../../kit/clock.ts'
import type { DomainName } from '../../../kit/random.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { registryRenewal, wholeYears } from '../holdings/expiry-plausibility.ts'
import { shownExpiry } from '../holdings/shown-expiry.ts'
import { decideSync } from '../holdings/sync-decision.ts'
import { skewMs } from '../registry-dates.ts'

export const findingKinds = {
  unknown: 'sponsored by us, and no holding and no open order of it is here',
  acquired_again: 'came to us again since it was last read, perhaps for another customer',
  renewed: 'expires later than is known here',
  shortened: 'expires earlier than is known here',
  left: 'another registrar sponsors it',
  absent: 'the registry does not know it',
  ordered: 'no holding yet, but an open order, which settles it',
  unread: 'the registry gave no answer',
} as const
export type FindingKind = keyof typeof findingKinds

export type Finding = { kind: FindingKind; domain: DomainName; registry: string; detail: string }

export type KnownDomain = Pick<
  Holding,
  | ('name' | 'registry' | 'expiry' | 'registry_expiry' | 'registered_at' | 'created_at')
  | ('synced_at' | 'deletion_at' | 'missing_since' | 'epp_statuses' | 'rgp_statuses')
>
type Facts = { sponsor: string; now: Date }

const day_ms = 86_400_000

/** Returns null if the registry shows the facts that are known here. */
export function compareHolding(
  read: Outcome<RegistryDomain>,
  holding: KnownDomain,
  { sponsor, now }: Facts,
): Finding | null {
  const found = (kind: FindingKind, detail: string): Finding => {
    return { kind, domain: holding.name, registry: holding.registry, detail }
  }
  const reading = decideSync(read, holding, { sponsor, now })
  switch (reading.do) {
    case 'nothing':
      return found('unread', reading.message)
    case 'end':
      return reading.ending === 'dropped'
        ? found('absent', 'it was on its way out')
        : found('left', `held here until ${dayOf(holding.expiry)}`)
    case 'mark_missing':
      return found('absent', `held here until ${dayOf(holding.expiry)}`)
    case 'store': {
      const again = acquiredAgain(reading.found, holding)
      if (again !== null) return found('acquired_again', again)
      const moved = movedExpiry(
        shownExpiry(reading.found, holding.registry_expiry, now),
        holding,
        now,
      )
      return moved && found(moved.kind, moved.detail)
    }
  }
}

/**
 * A domain that was registered or transferred in since it was last read may be another customer's.
 */
function acquiredAgain(
  { created_at, transferred_at }: RegistryDomain,
  holding: KnownDomain,
): string | null {
  if (Date.parse(created_at) > holding.registered_at.getTime() + day_ms)
    return `registered ${dayOf(new Date(created_at))}, held since ${dayOf(holding.registered_at)}`
  const last = Math.max(holding.created_at.getTime(), holding.synced_at?.getTime() ?? 0)
  if (transferred_at === null || Date.parse(transferred_at) <= last + skewMs) return null
  return `transferred ${dayOf(new Date(transferred_at))}, last read ${dayOf(new Date(last))}`
}

function movedExpiry(
  shown: Date,
  { expiry, registry_expiry }: KnownDomain,
  now: Date,
): { kind: FindingKind; detail: string } | null {
  const moved_ms = shown.getTime() - registry_expiry.getTime()
  if (Math.abs(moved_ms) <= day_ms) return null
  const paid = `until ${dayOf(shown)}, paid until ${dayOf(expiry)}`
  if (moved_ms < 0) return { kind: 'shortened', detail: paid }
  const years = wholeYears(expiry, shown)
  const further = years === null ? 'no whole years further' : `${years} y further`
  const itself = registryRenewal(expiry, shown, now) === 'added'
  const cause = itself ? '; the registry may have renewed it automatically' : ''
  return { kind: 'renewed', detail: `${paid}: ${further}${cause}` }
}

/** A name that the registry lists as ours and that no customer holds here. */
export function compareUnownedName(
  read: Outcome<RegistryDomain>,
  { name, registry, sponsor }: { name: string; registry: string; sponsor: string },
  { open_order }: { open_order: string | null },
): Finding | null {
  const found = (kind: FindingKind, detail: string): Finding => {
    return { kind, domain: name, registry, detail }
  }
  if (read.kind === 'done') {
    if (read.value.sponsor !== sponsor) return null
    const { created_at, transferred_at, expires_at } = read.value
    const since = transferred_at ?? created_at
    const dates = `since ${dayOf(new Date(since))}, until ${dayOf(new Date(expires_at))}`
    if (open_order !== null) return found('ordered', `${dates}: order ${open_order}`)
    return found('unknown', dates)
  }
  // The domain has gone since the list was made.
  if (read.kind === 'refused' && ['absent', 'not_ours'].includes(read.reason)) return null
  return found('unread', read.kind === 'accepted' ? 'it answered a read with 1001' : read.message)
}
