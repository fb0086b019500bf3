// Notes that a change stays which was due to go back: the audit row, and the mail to the owner.
import type { App } from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import { publicUrls } from '../../../../origins.ts'
import { storeAuditRow, systemCall } from '../../../audit/index.ts'
import { customerMail } from '../../../mail/index.ts'
import type { KeptReason } from './kept.ts'
import { changeKeptEmail } from './kept-email.ts'

type KeptChange = {
  id: string
  customer_id: string
  domain: string
  because: KeptReason
  of: 'records' | 'name_servers'
  /** For the mail: the sets, or the name servers. */
  changed: string
}

/** In the transaction that ends its confirmation. */
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
