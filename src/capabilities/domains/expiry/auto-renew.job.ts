// Renews domains with automatic renewal from the owner's balance, through the same steps as any
// renewal.
import Type from 'typebox'
import { type App, type Call, job } from '../../../app.ts'
import { Fault, type FaultType } from '../../../kit/fault.ts'
import { type Currency, currencies } from '../../../kit/money.ts'
import { compile, wordOf } from '../../../kit/schema.ts'
import { publicUrls } from '../../../origins.ts'
import { storeAuditRow } from '../../audit/index.ts'
import {
  approvalRequired,
  buyerEnded,
  currencyNotAllowed,
  domainNotAllowed,
  mayBuy,
  mayBuyDomain,
  priceAboveLimit,
  spendLimitExceeded,
} from '../../limits/index.ts'
import { customerMail, type EmailMessage } from '../../mail/index.ts'
import * as faults from '../faults.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { syncHolding } from '../holdings/sync.ts'
import { byRegistry, type Compartment } from '../per-registry.ts'
import { autoRenewBy, claimAutoRenewals, dropNextTries, putOffNextTry } from './auto-renew.sql.ts'
import { renewalRefusedEmail, renewalUnfundedEmail } from './expiry-emails.ts'
import { renewHolding } from './renew-holding.ts'

const pace = { at_once: 16, every_ms: 60_000 }
const day_ms = 86_400_000
const hour_ms = 3_600_000

export const autoRenew = job({
  name: 'auto_renew',
  does: 'Renews domains with automatic renewal from 14 days before they expire, once a day.',
  every_ms: pace.every_ms,
  wakes_on: 'sandbox_clock',
  run: (app, call) => byRegistry(app, pace, (at) => renewDue(app, call, at)),
})

async function renewDue(app: App, call: Call, { name, limit }: Compartment) {
  const now = app.calendar.now()
  const [soon_at, later_at] = [after(now, hour_ms), after(now, day_ms)]
  const asked = { now, soon_at, later_at, limit, registry: name }
  const taken = await app.db.run(claimAutoRenewals, asked)
  const off = taken.filter(({ auto_renew }) => !auto_renew).map(({ id }) => id)
  if (off.length > 0) await app.db.run(dropNextTries, { ids: off })
  await Promise.all(
    taken.map(async ({ is_due, has_order: _open, currency: last, ...holding }) => {
      const currency = wordOf(currencies, last ?? 'USD')
      if (is_due) await renewAutomatically(app, call, { holding, currency })
    }),
  )
  return taken.length
}

function after(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms)
}

type AutoRenewal = { holding: Holding; currency: Currency }

/**
 * Makes one try. The next is an hour later, unless the outcome says otherwise. Whatever the
 * outcome, the fence and the limit of one open order for a name make sure that no year is paid
 * twice.
 */
export async function renewAutomatically(app: App, call: Call, due: AutoRenewal): Promise<void> {
  const { holding, currency } = due
  try {
    const synced = await syncHolding(app, holding, 'normal')
    if (synced.kind !== 'held') return
    const { auto_renew, expiry } = synced.holding
    // It was turned off or renewed since it was found to be due, so its next year is not paid now.
    if (!auto_renew || expiry.getTime() !== holding.expiry.getTime()) return
    const limited_by = await app.db.one(autoRenewBy, { id: holding.id })
    if (!(await mayBuy(app.db, limited_by))) throw buyerEnded()
    const { name: domain } = holding
    if (!(await mayBuyDomain(app.db, limited_by, domain))) throw domainNotAllowed()
    const facts = { period_years: 1, currency, limited_by }
    await renewHolding(app, call, { holding: synced.holding, ...facts })
    // It may still be refused later, which is reported then.
    const next_at = after(app.calendar.now(), day_ms)
    await app.db.run(putOffNextTry, { id: holding.id, next_at })
  } catch (error) {
    if (error instanceof Fault) await refused(app, call, { due, fault: error })
    else app.log.error({ err: error, domain: holding.name }, 'automatic renewal not tried')
  }
}

/**
 * Refusals after which the owner has nothing to do: another request renews the domain, the registry
 * is unreachable, or operators have an alarm about its expiry.
 */
const passing: readonly FaultType[] = [
  faults.expiryUnexplained,
  faults.registryUnreachable,
  faults.expiryChanged,
  faults.orderOpen,
  faults.recentlyRenewed,
]

/** Refusals by limits that the owner set, which no operator has to look at. */
const ofOwner: readonly FaultType[] = [
  ...[approvalRequired, buyerEnded, currencyNotAllowed, domainNotAllowed],
  ...[priceAboveLimit, spendLimitExceeded],
]

type Refused = { due: AutoRenewal; fault: Fault }

async function refused(app: App, call: Call, { due, fault }: Refused): Promise<void> {
  const { holding, currency } = due
  if (passing.includes(fault.type)) return
  const facts = { today: app.calendar.now(), ...publicUrls(app.settings) }
  const unpaid = fault.type === faults.insufficientFunds
  if (!unpaid && !ofOwner.includes(fault.type)) {
    const alarm = { domain: holding.name, code: fault.type.code, alarm: 'auto_renew_failed' }
    app.log.error({ ...alarm, detail: fault.message }, 'automatic renewal was refused')
  }
  const email = unpaid
    ? renewalUnfundedEmail(holding, { ...facts, short: shortOf(fault, currency) })
    : renewalRefusedEmail(holding, { ...facts, reason: fault.message })
  await notify(app, call, { holding, email, code: fault.type.code })
}

/** The figures of insufficient_funds. */
function shortOf({ facts }: Fault, currency: Currency): { price: string; shortfall: string } {
  const { price, missing } = facts
  const amount = typeof price === 'object' && price && 'amount' in price ? price.amount : '?'
  return { price: `${amount} ${currency}`, shortfall: missingText(missing) }
}

/** The missing amounts, which include a debt in another currency. */
function missingText(missing: unknown): string {
  return missingAmounts.check(missing)
    ? missing.map((one) => `${one.amount} ${one.currency}`).join(' and ')
    : '?'
}

const missingAmounts = compile(
  Type.Array(Type.Object({ currency: Type.String(), amount: Type.String() })),
)

type Notification = { holding: Holding; email: EmailMessage; code: string }

/** Notifies the owner; the next try, and its mail, is tomorrow. */
async function notify(app: App, call: Call, { holding, email, code }: Notification): Promise<void> {
  const { id, customer_id, name } = holding
  await app.db.transaction(async (sql) => {
    await sql.run(putOffNextTry, { id, next_at: after(app.calendar.now(), day_ms) })
    if (!(await customerMail(sql, customer_id, email))) return
    await storeAuditRow(
      sql,
      call.auditRow({
        action: 'auto_renew',
        target_type: 'domain',
        target: name,
        customer_id,
        result: 'failed',
        error_code: code,
        metadata: { expiry: holding.expiry.toISOString() },
      }),
    )
  })
}
