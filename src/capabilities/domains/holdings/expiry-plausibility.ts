// Plausibility of the expiry that a registry shows for a holding, compared with `paid until`: years
// between them are explained, or an operator decides.
import type { App } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { addDays, addYears } from '../../../kit/clock.ts'
import { expiryUnexplained } from '../faults.ts'
import { yearsAhead } from '../registry-dates.ts'
import { type Holding, statusOfHolding } from './domain-presenter.ts'
import { yearFacts } from './holdings.sql.ts'

type Paid = Pick<Holding, 'expiry' | 'registered_at'>
/** Registries move dates by some days (yearsAhead). */
const moved_days = 10

/** Whether a registry can show this date: after the domain began, and within the longest term. */
export function isPossible(
  shown: Date,
  { registered_at }: Paid,
  { now, max_term_years }: { now: Date; max_term_years: number },
): boolean {
  const first = Math.max(addDays(registered_at, -1).getTime(), addYears(now, -2).getTime())
  return shown.getTime() >= first && shown <= addDays(addYears(now, max_term_years), 2)
}

/** The years from the paid to the shown expiry, or null if the days between are no whole years. */
export function wholeYears(paid: Date, shown: Date): number | null {
  const years = yearsAhead(paid, shown)
  const off = Math.abs(shown.getTime() - addYears(paid, years).getTime())
  return off <= moved_days * 86_400_000 ? years : null
}

/**
 * The most years that a registry can have added by auto-renewal, which is one for each ended term.
 */
export function possibleRenewals(paid: Date, now: Date): number {
  const latest = addDays(now, 1)
  let count = 0
  while (addYears(paid, count) <= latest) count += 1
  return count
}

/**
 * The result of a fresh reading for a term that has ended. `added`: the registry has renewed it by
 * itself, unpaid. `none`: it has not. `odd`: no rule of a registry explains the date.
 */
export function registryRenewal(paid: Date, shown: Date, now: Date): 'added' | 'none' | 'odd' {
  const years = wholeYears(paid, shown)
  if (years === 0) return 'none'
  return years !== null && years > 0 && years <= possibleRenewals(paid, now) ? 'added' : 'odd'
}

type Explained = { explained: boolean; open: boolean }

/** Explains it by the registry's own renewals, restores, and renewals that an operator refunded. */
async function explain(
  app: App,
  sql: Sql,
  { holding, shown }: Pick<ShownExpiry, 'holding' | 'shown'>,
): Promise<Explained> {
  const { id, customer_id, name, created_at } = holding
  const now = app.calendar.now()
  if (registryRenewal(holding.expiry, shown, now) !== 'odd') return { explained: true, open: false }
  const facts = await sql.one(yearFacts, { id, customer_id, domain: name, since: created_at })
  // An order may have ended since the reading, and its payment explains the date, too.
  const expiry = facts.expiry ?? holding.expiry
  if (registryRenewal(expiry, shown, now) !== 'odd') return { explained: true, open: facts.open }
  const years = wholeYears(expiry, shown)
  const most = possibleRenewals(expiry, now) + facts.given_back
  const explained = years !== null && (years < 0 ? facts.restored : years <= most)
  return { explained, open: facts.open }
}

/**
 * Throws 409 expiry_unexplained, with an alarm, while the registry shows years that nothing
 * explains, such as those of renewals since a restored dump, whose orders are lost.
 */
export async function refuseUnexplained(app: App, holding: Holding): Promise<void> {
  const { name: domain, expiry, registry_expiry } = holding
  const { explained } = await explain(app, app.db, { holding, shown: registry_expiry })
  if (explained) return
  const facts = { domain, expiry, registry_expiry, alarm: 'registry_expiry_unexplained' }
  app.log.error(facts, 'a renewal is refused: nothing explains the expiry that the registry shows')
  throw expiryUnexplained({
    detail:
      `The registry shows ${registry_expiry.toISOString()} as its expiry; ` +
      `${expiry.toISOString()} is paid for here, and nothing explains the difference.`,
    facts: {
      registry_expiry: registry_expiry.toISOString(),
      holding: statusOfHolding(holding, null, app.calendar.now()),
    },
  })
}

export type ShownExpiry = { holding: Holding; shown: Date; possible: boolean }

/** Raises an alarm for a new expiry that is impossible, or that nothing explains. */
export async function alarmUnexplained(
  app: App,
  sql: Sql,
  expiries: readonly ShownExpiry[],
): Promise<void> {
  for (const { holding, shown, possible } of expiries) {
    const { name: domain, expiry, registry_expiry } = holding
    if (Math.abs(shown.getTime() - registry_expiry.getTime()) <= 86_400_000) continue
    const { explained, open } = await explain(app, sql, { holding, shown })
    if (possible && (explained || open)) continue
    const facts = { domain, expiry, registry_expiry, shown, alarm: 'registry_expiry_unexplained' }
    app.log.error(facts, 'nothing explains the expiry that a registry shows')
  }
}
