// Answers password reset requests: mails the account that has the address; sends nothing where none
// has, or where it got too many.
import type { App, Call } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { take } from '../../../rate-limits/leaky-buckets.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { secretMail } from '../../mail/index.ts'
import { mailBuckets } from '../brute-force-limits.ts'
import { resetEmail } from '../emails.ts'
import { mailRequestJob } from '../mail-requests.ts'
import { macOf, newCode } from '../mailed-codes.ts'
import { answerRequest, closeRequest, openRequest } from './links.sql.ts'
import { newLink } from './links.ts'

export const answerResetRequests = mailRequestJob({
  kind: 'answer_password_reset',
  name: 'answer_password_resets',
  does: 'Mails the code and the link of password reset requests.',
  wakes_on: 'password_links',
  answer,
})

type Request = { sql: Sql; id: string }

async function answer(app: App, call: Call, { sql, id }: Request): Promise<void> {
  const request = await sql.maybe(openRequest, { id })
  if (!request) return
  const { customer_id, is_known } = request
  const now = app.clock.now()
  // The limit applies here, where no client that asks can see it.
  const asked = { customer_id: customer_id ?? '', address: request.address ?? '', is_known }
  if (customer_id === null || (await take(sql, mailBuckets(asked))) > 0) {
    await sql.count(closeRequest, { id, answered_at: now })
    return
  }
  const code = newCode()
  const { url, token_hash } = newLink(app)
  const mac = macOf(app, { id, code })
  await sql.count(answerRequest, { id, customer_id, token_hash, code_mac: mac, answered_at: now })
  await secretMail(app, sql, { customer_id, message: resetEmail({ id, url, code }) })
  const facts = { target_type: 'password_link', target: id, customer_id }
  await storeAuditRow(sql, call.auditRow({ ...facts, action: 'request_password_reset' }))
}
