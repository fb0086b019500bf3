// Disables an endpoint that is gone or fails for days, with a mail to its owner.
import type { App } from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import { publicUrls } from '../../../../origins.ts'
import { storeAuditRow, systemCall } from '../../../audit/index.ts'
import { customerMail } from '../../../mail/index.ts'
import { webhookDisabledEmail } from '../emails.ts'
import { disableWebhook, failPending } from '../webhooks.sql.ts'

type Disabling = { id: string; because: 'gone' | 'failing' }

/** Its pending deliveries fail; they can be redelivered once it is enabled again. */
export async function disable(app: App, sql: Sql, { id, because }: Disabling): Promise<void> {
  const webhook = await sql.maybe(disableWebhook, { id, because })
  if (!webhook) return
  const { url, customer_id } = webhook
  await sql.count(failPending, { webhook_id: id, last_error: 'The webhook was disabled.' })
  const { dashboard_url } = publicUrls(app.settings)
  const at = app.clock.now()
  await customerMail(
    sql,
    customer_id,
    webhookDisabledEmail({ id, url, because, at }, dashboard_url),
  )
  const call = systemCall(app, 'deliver_webhooks')
  await storeAuditRow(
    sql,
    call.auditRow({
      action: 'disable_webhook',
      target_type: 'webhook',
      target: id,
      customer_id,
      metadata: { host: URL.parse(url)?.host ?? null, because },
    }),
  )
}
