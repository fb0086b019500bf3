// Records that a change stays that was due to be reverted, by an audit row and a mail to the owner.
import type { App } from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import type { CustomerId, DomainName } from '../../../../kit/random.ts'
import { publicUrls } from '../../../../origins.ts'
import { storeAuditRow, systemCall } from '../../../audit/index.ts'
import { customerMail } from '../../../mail/index.ts'
import type { KeptReason } from './kept.ts'
import { changeKeptEmail } from './kept-email.ts'

type KeptChange = {
  id: string
  customer_id: CustomerId
  domain: DomainName
  because: KeptReason
  of: 'records' | 'name_servers'
  /** The sets or the name servers, for the mail. */
  changed: string
}

/** Runs in the transaction that ends the confirmation of the change. */
export async function keepUnconfirmed(app: App, sql: Sql, kept: KeptChange): Promise<void> {
  const { id, customer_id, domain, because } = kept
  const metadata = { change: id, reason: because }
  await storeAuditRow(
    sql,
    systemCall(app, 'keep_unconfirmed_dns_change').auditRow({
      ...{ action: 'keep_unconfirmed_dns_change', customer_id, result: 'success', metadata },
      ...{ target_type: 'domain', target: domain },
    }),
  )
  // The later changes have decided it already.
  if (because === 'changed_since') return
  const { dashboard_url } = publicUrls(app.settings)
  await customerMail(sql, customer_id, changeKeptEmail({ ...kept, because }, { dashboard_url }))
}
