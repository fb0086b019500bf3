// Term verification: the expiries to which a purchase can lead, by the bought years and the rules
// of registries (RFC 5731, RFC 3915). A registry's date is believed only if it fits. Pure.
import type { RegistryDomain } from '../../../../adapters/registry/port.ts'
import { addDays, addYears } from '../../../../kit/clock.ts'
import { sameDay, yearsAhead } from '../../registry-dates.ts'
import type { RegisterOrder, RenewOrder, RestoreOrder, TransferOrder } from '../order.ts'
import type { Purchased } from './reconcile.ts'

export type Term = {
  /** The time until which it is paid after the capture. */
  paid_until: Date
  /** The years that the capture adds to an existing term, or all years of a first term. */
  years: number
  /** The expiry that is stored as the registry's, which is its own if it fits. */
  registry_expiry: Date
  /** Why the registry's dates do not fit the purchase; then the dates above are the order's. */
  mismatch: string | null
}
/** `now` and `first_sent_at` are in the registries' time. */
export type Circumstances = {
  now: Date
  first_sent_at: Date
  max_term_years: number
  found?: RegistryDomain | undefined
}

/** The largest difference between clocks, and dates without their time zone. */
const skew_days = 1
/** 45 days of auto-renew grace, five of a pending transfer, and some for a slow reading. */
const grace_days = 60

function isBetween(date: Date, { from, to }: { from: Date; to: Date }): boolean {
  return date.getTime() >= from.getTime() && date.getTime() <= to.getTime()
}

function mismatch(what: string, shown: Date | string | null, wanted: string): string {
  const date = shown instanceof Date ? shown.toISOString() : (shown ?? 'nothing')
  return `The registry shows ${date} as its ${what}; bought was ${wanted}.`
}

/**
 * crDate must be of the time of the order, and exDate later by the bought years, or later still by
 * years that the registry has auto-renewed since, which are not paid.
 */
export function registeredTerm(
  { period_years }: Pick<RegisterOrder, 'period_years'>,
  { created_at, expires_at }: Purchased,
  { now, first_sent_at }: Circumstances,
): Term {
  const created = new Date(created_at ?? Number.NaN)
  const window = { from: addDays(first_sent_at, -skew_days), to: addDays(now, skew_days) }
  if (!isBetween(created, window)) {
    const due = addYears(first_sent_at, period_years)
    const why = mismatch('date of creation', created_at, `at ${first_sent_at.toISOString()}`)
    return { paid_until: due, years: period_years, registry_expiry: due, mismatch: why }
  }
  const due = addYears(created, period_years)
  const there = new Date(expires_at)
  const added = Math.max(0, yearsAhead(due, there))
  const explained = added === 0 || addYears(due, added - 1) <= window.to
  if (explained && sameDay(there, addYears(due, added))) {
    const paid_until = added === 0 ? there : addYears(there, -added)
    return { paid_until, years: period_years, registry_expiry: there, mismatch: null }
  }
  const why = mismatch('expiry', expires_at, `until ${due.toISOString()}`)
  return { paid_until: due, years: period_years, registry_expiry: due, mismatch: why }
}

/** The fence plus the sent years; it is paid until the former date plus the bought years. */
export function renewedTerm(command: RenewOrder, { expires_at }: Purchased): Term {
  const { period_years: years, send_years } = command
  const paid_until = addYears(new Date(command.paid_until), years)
  const due = addYears(new Date(command.registry_expiry), send_years)
  const there = new Date(expires_at)
  if (sameDay(there, due)) return { paid_until, years, registry_expiry: there, mismatch: null }
  const why = mismatch('expiry', expires_at, `until ${due.toISOString()}`)
  return { paid_until, years, registry_expiry: due, mismatch: why }
}

/**
 * The previous expiry is not known here, so the new one is checked by the rules: it is a year
 * later, where the former one may have been within the auto-renew grace period (whose year a
 * transfer replaces), at most the longest term, and equal to the registry's record of the transfer.
 */
export function transferredTerm(
  { period_years: years }: Pick<TransferOrder, 'period_years'>,
  { expires_at, transfer_expires_at }: Purchased,
  { now, first_sent_at, max_term_years, found }: Circumstances,
): Term {
  const window = { from: addDays(first_sent_at, -skew_days), to: addDays(now, skew_days) }
  const moved = new Date(found?.transferred_at ?? first_sent_at)
  const since = isBetween(moved, window) ? moved : first_sent_at
  const there = new Date(expires_at)
  const least = addYears(since, years)
  const most = addDays(addYears(now, max_term_years), skew_days)
  const possible = isBetween(there, { from: addDays(least, -grace_days), to: most })
  if (possible && agrees(there, transfer_expires_at ?? null, window.to))
    return { paid_until: there, years, registry_expiry: there, mismatch: null }
  const recorded = transfer_expires_at ? `, by its transfer's record ${transfer_expires_at}` : ''
  const why = mismatch('expiry', expires_at, `${years} more from ${since.toISOString()}${recorded}`)
  return { paid_until: least, years, registry_expiry: least, mismatch: why }
}

/** The exDate of a transfer is the expiry that it caused (RFC 5731 section 3.1.3). */
function agrees(there: Date, recorded: string | null, latest: Date): boolean {
  if (recorded === null) return true
  const caused = new Date(recorded)
  const added = Math.max(0, yearsAhead(caused, there))
  if (added > 0 && addYears(caused, added - 1) > latest) return false
  return sameDay(there, addYears(caused, added))
}

/**
 * A restore brings back the expiry that the domain had in redemption, or, if its term had run out,
 * a year more, which its price includes. Years that were paid stay paid, even if the registry
 * removed them.
 */
export function restoredTerm(
  command: RestoreOrder,
  { expires_at }: Purchased,
  { now, found }: Circumstances,
): Term {
  const paid = new Date(command.paid_until)
  const before = new Date(command.registry_expiry ?? command.paid_until)
  const there = new Date(expires_at)
  const ended = before <= addDays(now, skew_days)
  const same = sameDay(there, before) || sameDay(there, paid)
  const longer = ended && sameDay(there, addYears(before, 1))
  // An order from before this rule does not know the years that the registry had removed.
  const behind = yearsAhead(paid, there)
  const older =
    command.registry_expiry === undefined && behind < 0 && sameDay(there, addYears(paid, behind))
  if (!same && !longer && !older) {
    const why = mismatch('expiry', expires_at, `what it had before, ${before.toISOString()}`)
    return { paid_until: paid, years: 0, registry_expiry: before, mismatch: why }
  }
  const added = found?.rgp_statuses.includes('autoRenewPeriod') ?? false
  const years = longer && !added && behind > 0 ? 1 : 0
  return { paid_until: addYears(paid, years), years, registry_expiry: there, mismatch: null }
}

/** The dates of a holding after a capture, which fences compare by the millisecond. */
export function termFacts({ paid_until, years, registry_expiry }: Term) {
  return {
    paid_until: paid_until.toISOString(),
    paid_years: years,
    registry_expiry: registry_expiry.toISOString(),
  }
}

/** Facts of an existing holding after a renewal or a restore. */
export function extendedHolding(
  order: { first_sent_at: Date },
  { created_at }: Purchased,
  { term, found }: { term: Term; found?: RegistryDomain | undefined },
) {
  return {
    ...termFacts(term),
    registered_at: created_at ?? order.first_sent_at.toISOString(),
    nameservers: found?.nameservers ?? [],
    contacts: {},
    sync_at: order.first_sent_at.toISOString(),
    wanted_nameservers: null,
  }
}

/** The facts that a reading, if there was one, shows of the domain. */
export function shownFacts(found: RegistryDomain | undefined) {
  return {
    epp_statuses: found?.epp_statuses ?? [],
    rgp_statuses: found?.rgp_statuses ?? [],
    locked: found?.epp_statuses.includes('clientTransferProhibited') ?? false,
  }
}
