// Reports each consent that has ended, however it ended: an audit row, the event that is derived
// from it, and a mail to the owner. The task is enqueued by the trigger that ends what the consent
// allowed, so that no way to end one is without a report.

import Type from 'typebox'
import { type App, job } from '../../app.ts'
import { storeAuditRow, systemCall } from '../../capabilities/audit/index.ts'
import { customerMail } from '../../capabilities/mail/index.ts'
import type { GrantId } from '../../kit/random.ts'
import { stringOf } from '../../kit/schema.ts'
import { publicUrls } from '../../origins.ts'
import { done, type TaskEnd, taskKind, workTasks } from '../../tasks/index.ts'
import { appsDisconnectedEmail } from '../consent/emails.ts'
import { endReasonOf } from '../storage/end-reasons.ts'
import { findEndedConsent } from './ended-consents.sql.ts'

const at_once = 100

const reportEndedConsent = taskKind({
  kind: 'report_ended_consent',
  payload: Type.Object({ grant_id: stringOf<GrantId>() }),
  backoff: { first_ms: 1_000, longest_ms: 3_600_000 },
  most_attempts: null,
})

export const reportEndedConsents = job({
  name: 'report_ended_consents',
  does: 'Writes the audit row, and queues the mail to the owner, of each consent that has ended.',
  every_ms: 2_000,
  per_node: true,
  task_kind: reportEndedConsent.kind,
  async run(app) {
    const claimed = await workTasks(app, reportEndedConsent, {
      limit: at_once,
      handle: ({ payload }) => report(app, payload.grant_id),
    })
    return { more: claimed === at_once }
  },
})

async function report(app: App, id: string): Promise<TaskEnd> {
  const ended = await app.db.maybe(findEndedConsent, { id })
  if (!ended) return done
  const { customer_id, client_id, client_name, apps, moment } = ended
  const reason = endReasonOf(ended.end_reason)
  const row = systemCall(app, reportEndedConsents.name).auditRow({
    action: 'end_oauth_grant',
    customer_id,
    target_type: 'oauth_grant',
    target: id,
    metadata: { client_id, client_name, reason: reason ?? 'unknown' },
  })
  const { site_url } = app.settings
  const roots = { ...publicUrls(app.settings), site_url }
  const email = appsDisconnectedEmail({ customer_id, apps, reason, moment }, roots)
  return {
    end: 'done',
    effects: async (sql) => {
      await storeAuditRow(sql, row)
      await customerMail(sql, customer_id, email)
    },
  }
}
