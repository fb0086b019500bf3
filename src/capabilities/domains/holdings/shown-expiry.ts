// The expiry of a holding by a reading of its registry, which may show none (`expiry: computed` in
// its entry). Pure.
import type { RegistryDomain } from '../../../adapters/registry/port.ts'
import { addYears } from '../../../kit/clock.ts'

/** The first of `date` and the same day of each later year that is after `now`. */
export function nextAnniversary(date: Date, now: Date): Date {
  let years = Math.max(0, now.getUTCFullYear() - date.getUTCFullYear())
  while (addYears(date, years) <= now) years += 1
  return addYears(date, years)
}

/**
 * The expiry of a holding by a reading. If none is shown, it is the known one, plus a year for each
 * that has run out since, because the registry renews by itself.
 */
export function shownExpiry(
  { expires_at, expiry_computed }: Pick<RegistryDomain, 'expires_at' | 'expiry_computed'>,
  known: Date,
  now: Date,
): Date {
  return expiry_computed ? nextAnniversary(known, now) : new Date(expires_at)
}
