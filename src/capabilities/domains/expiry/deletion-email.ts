// Notifies the owner that an unrenewed domain was deleted, and of the way to restore it.
import type { App, Call } from '../../../app.ts'
import { addDays, dayOf } from '../../../kit/clock.ts'
import { publicUrls } from '../../../origins.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { button, customerMail, type EmailMessage, paragraph, words } from '../../mail/index.ts'
import { domainPage } from '../emails.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { redemption_days } from './expiry-emails.ts'
import { currencyOfDomain, noteNotice } from './expiry-notices.sql.ts'
import { keepingPrices } from './renewal-prices.ts'

/** Sends the mail with the audit row of the deletion's end, once for each term. */
export async function notifyDeleted(app: App, call: Call, holding: Holding): Promise<void> {
  const { id, name, customer_id, expiry } = holding
  const { currency } = await app.db.one(currencyOfDomain, { customer_id, domain: name })
  const pricesOf = await keepingPrices(app, [{ name, currency }])
  const email = deletedUnrenewed(holding, {
    restore: pricesOf({ name, currency }).restore,
    ...publicUrls(app.settings),
  })
  await app.db.transaction(async (sql) => {
    const notice = { domain_id: id, kind: 'deleted_unpaid', expiry, auto_renew: null }
    if (!(await sql.maybe(noteNotice, notice))) return
    await customerMail(sql, customer_id, email)
    await storeAuditRow(
      sql,
      call.auditRow({
        action: 'delete_unpaid_domain',
        target_type: 'domain',
        target: name,
        customer_id,
        result: 'success',
        metadata: { expiry: expiry.toISOString() },
      }),
    )
  })
}

type Facts = { restore: string | null; base_url: string; dashboard_url: string }

function deletedUnrenewed(holding: Holding, facts: Facts): EmailMessage {
  const { restore, base_url, dashboard_url } = facts
  const { id, name, expiry, deletion_at } = holding
  const until = addDays(deletion_at ?? expiry, redemption_days)
  const price = restore === null ? 'at the price of a restore' : `for ${restore}`
  return {
    kind: 'domain_deleted_unpaid',
    dedupe_key: `domain_deleted_unpaid:${id}:${expiry.toISOString()}`,
    subject: words`${name} was deleted: it was paid until ${dayOf(expiry)}`,
    happened: [
      paragraph(
        words`${name} was paid until ${dayOf(expiry)} and was not renewed,`,
        words`so it is deleted at its registry. It no longer works, and cannot be renewed now.`,
      ),
    ],
    todo: [
      paragraph(
        words`Until about ${dayOf(until)} you can restore it ${price}.`,
        words`After that it is deleted permanently, and anyone can register it.`,
      ),
      button(words`Open ${name}`, domainPage(dashboard_url, name)),
      paragraph(
        words`By the API: POST ${base_url}/v1/domains/${name}/restore`,
        words`(with "dry_run": true it only shows the price).`,
      ),
    ],
  }
}
