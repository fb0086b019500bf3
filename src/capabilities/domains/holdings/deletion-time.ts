// Times of a name's deletion and of the request for its restore, for the restore report (RFC 3915
// section 4.2.5). Pure.
import type { RegistryDomain } from '../../../adapters/registry/port.ts'
import { isSince, skewMs } from '../registry-dates.ts'
import type { Holding } from './domain-presenter.ts'

type Statuses = Pick<RegistryDomain, 'epp_statuses' | 'rgp_statuses'>
type Known = Pick<Holding, 'epp_statuses' | 'rgp_statuses' | 'synced_at' | 'created_at'>

const going = ['redemptionPeriod', 'pendingDelete', 'pendingRestore']

/** Whether it is deleted and not restored, which is so until the registry has the report. */
export function isDeleted({ epp_statuses, rgp_statuses }: Statuses | Known): boolean {
  return [...epp_statuses, ...rgp_statuses].some((status) => going.includes(status))
}

/**
 * The time of the deletion by a reading at `now`, or null if the reading does not show it, as after
 * a restore request, which is the last change then. Before one, the registry's date of the last
 * change is that of the deletion, if that is possible.
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

/** When the restore request that the registry has accepted was sent. */
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
