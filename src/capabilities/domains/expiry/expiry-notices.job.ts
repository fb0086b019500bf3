// Notifies owners of the end of a term, 30 and 7 days before it and 3 days after, and also 14 days
// and a day before it if the balance does not cover a renewal that they have to make themselves.
import { type App, type Call, job } from '../../../app.ts'
import { addDays } from '../../../kit/clock.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { publicUrls } from '../../../origins.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { customerMail } from '../../mail/index.ts'
import { type Plan, readPlan } from '../runway/plan.ts'
import {
  type ExpiringTerm,
  expiryNoticeEmail,
  type NoticeFacts,
  type NoticeKind,
  noticeKinds,
} from './expiry-emails.ts'
import { dueNotices, noteNotice } from './expiry-notices.sql.ts'
import { missingFor } from './missing-money.ts'
import { keepingPrices } from './renewal-prices.ts'

// Most holdings have no notice due.
const page = 1_000

export const sendNotices = job({
  name: 'send_expiry_notices',
  does: 'Notifies owners before and after a domain expires, and of missing money.',
  every_ms: 60_000,
  wakes_on: 'sandbox_clock',
  async run(app, call) {
    for (const kind of noticeKinds) await notifyAll(app, call, kind)
    return { more: false }
  },
})

/**
 * The range of expiries (after, up to) for which a notice is due now. A notice whose window has
 * passed is no longer sent, because the next one is more urgent.
 */
export function windowOf(
  kind: NoticeKind,
  { now, delete_days }: { now: Date; delete_days: number },
): { after: Date; until: Date } {
  switch (kind) {
    case 'expires_in_30_days':
      return { after: addDays(now, 14), until: addDays(now, 30) }
    case 'expires_in_14_days':
      return { after: addDays(now, 7), until: addDays(now, 14) }
    case 'expires_in_7_days':
      return { after: addDays(now, 1), until: addDays(now, 7) }
    case 'expires_in_1_day':
      return { after: now, until: addDays(now, 1) }
    case 'expired':
      return { after: addDays(now, -delete_days), until: addDays(now, -3) }
  }
}

type Due = ExpiringTerm & { customer_id: CustomerId }

async function notifyAll(app: App, call: Call, kind: NoticeKind): Promise<void> {
  const { unpaid_delete_days: delete_days } = app.settings
  const { after, until } = windowOf(kind, { now: app.calendar.now(), delete_days })
  for (let at = '-infinity', id = 0n, more = true; more; ) {
    const rows = await app.db.run(dueNotices, {
      kind,
      expires_after: after,
      expires_by: until,
      after_at: at,
      after_id: id,
      limit: BigInt(page),
    })
    const due = rows.filter((row) => row.due)
    const terms = due.map((one): Due => ({ ...one, currency: one.currency ?? 'USD' }))
    const pricesOf = await keepingPrices(app, terms)
    const planOf = plansOf(app)
    for (const term of terms) {
      const facts = { prices: pricesOf(term), delete_days, ...publicUrls(app.settings) }
      await planOf(term.customer_id)
        .then((plan) => ({ ...facts, missing: missingFor(plan, term) }))
        .then((terms) => notify(app, call, { kind, term, terms }))
        .catch((error) => {
          // The others are still sent, and this one is tried again.
          app.log.error({ err: error, domain: term.name, kind }, 'expiry notice not sent')
        })
    }
    const last = rows.at(-1)
    if (last) ({ at, id } = last)
    more = last?.looked === page
  }
}

/** The plan of each account is read once. */
function plansOf(app: App): (customer_id: CustomerId) => Promise<Plan> {
  const read = new Map<string, Promise<Plan>>()
  return (customer_id) => {
    const plan = read.get(customer_id) ?? readPlan(app, app.db, customer_id)
    read.set(customer_id, plan)
    return plan
  }
}

/**
 * A notice about money alone is not sent if there is enough, or if automatic renewal is on, which
 * reports missing money every day from 14 days before the expiry.
 */
function isNeedless(kind: NoticeKind, { auto_renew }: Due, { missing }: NoticeFacts): boolean {
  const isAboutMoney = kind === 'expires_in_14_days' || kind === 'expires_in_1_day'
  return isAboutMoney && (auto_renew || missing === null)
}

type Notification = { kind: NoticeKind; term: Due; terms: NoticeFacts }

/** Stores the notice, the mail and the audit row, all of them once or none. */
async function notify(app: App, call: Call, { kind, term, terms }: Notification): Promise<void> {
  const { id, name, customer_id, expiry, auto_renew } = term
  const email = expiryNoticeEmail(kind, term, terms)
  await app.db.transaction(async (sql) => {
    // If that was turned on or off meanwhile, the next round writes the right notice.
    if (!(await sql.maybe(noteNotice, { domain_id: id, kind, expiry, auto_renew }))) return
    // So it is checked once, not every minute of its window.
    if (isNeedless(kind, term, terms)) return
    await customerMail(sql, customer_id, email)
    await storeAuditRow(
      sql,
      call.auditRow({
        action: 'expiry_notice',
        target_type: 'domain',
        target: name,
        customer_id,
        result: 'success',
        metadata: { kind, expiry: expiry.toISOString(), auto_renew },
      }),
    )
  })
}
