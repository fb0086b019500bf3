// Answers password reset requests: mails the account that has the address; sends nothing where none
// has, or where it got too many.
import Type from 'typebox'
import { type App, type Call, job } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { take } from '../../../rate-limits/leaky-buckets.ts'
import { taskKind, workTasks } from '../../../tasks/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { secretMail } from '../../mail/index.ts'
import { mailBuckets } from '../brute-force-limits.ts'
import { resetEmail } from '../emails.ts'
import { answerRequest, closeRequest, openRequest } from './links.sql.ts'
import { macOf, newCode, newLink } from './links.ts'

/** Enqueued by a trigger of password_links. */
const answerReset = taskKind({
  kind: 'answer_password_reset',
  payload: Type.Object({ request_id: Type.String() }),
  backoff: { first_ms: 1_000, longest_ms: 60_000 },
  most_attempts: null,
})

export const answerResetRequests = job({
  name: 'answer_password_resets',
  does: 'Mails the code and the link of password reset requests.',
  every_ms: 5_000,
  wakes_on: 'password_links',
  per_node: true,
  async run(app, call) {
    const claimed = await workTasks(app, answerReset, {
      limit: 1,
      handle: async ({ payload }) => ({
        end: 'done',
        effects: (sql) => answer(app, call, { sql, id: payload.request_id }),
      }),
    })
    return { more: claimed > 0 }
  },
})

type Request = { sql: Sql; id: string }

async function answer(app: App, call: Call, { sql, id }: Request): Promise<void> {
  const request = await sql.maybe(openRequest, { id })
  if (!request) return
  const { customer_id, is_known } = request
  const now = app.clock.now()
  // Limited here, where no client that asks can see it.
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
