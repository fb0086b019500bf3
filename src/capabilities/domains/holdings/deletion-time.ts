// Times of a name's deletion and of the request for its restore, for the restore report (RFC 3915
// section 4.2.5). Pure.
import type { RegistryDomain } from '../../../adapters/registry/port.ts'
import { isSince, skewMs } from '../registry-dates.ts'
import type { Holding } from './domain-presenter.ts'

type Statuses = Pick<RegistryDomain, 'epp_statuses' | 'rgp_statuses'>
type Known = Pick<Holding, 'epp_statuses' | 'rgp_statuses' | 'synced_at' | 'created_at'>

const going = ['redemptionPeriod', 'pendingDelete', 'pendingRestore']

/** Deleted, and not restored: also while the registry waits for the report. */
export function isDeleted({ epp_statuses, rgp_statuses }: Statuses | Known): boolean {
  return [...epp_statuses, ...rgp_statuses].some((status) => going.includes(status))
}

/**
 * By a reading at `now`; null where it does not show it, as after a restore request, the last
 * change then. Before one, the registry's date of the last change is the deletion's, where that can
 * be.
 */
export function deletionSeen(
  found: Statuses & Pick<RegistryDomain, 'updated_at'>,
  known: Known,
  now: Date,
): Date | null {
  if (!isDeleted(found) || found.rgp_statuses.includes('pendingRestore')) return null
  const least = isDeleted(known) ? known.created_at : (known.synced_at ?? known.created_at)
  return dateWithin(found.updated_at, { least, most: now }) ?? now
}

/** When the request was sent that the registry has taken. */
export function restoreAsked(
  found: Pick<RegistryDomain, 'updated_at'>,
  { first_sent_at, now }: { first_sent_at: Date; now: Date },
): Date {
  return dateWithin(found.updated_at, { least: first_sent_at, most: now }) ?? first_sent_at
}

type Within = { least: Date; most: Date }

function dateWithin(text: string | null, { least, most }: Within): Date | null {
  if (text === null) return null
  const date = new Date(text)
  const isPast = date.getTime() <= most.getTime() + skewMs
  return isPast && isSince(date, least) ? date : null
}
