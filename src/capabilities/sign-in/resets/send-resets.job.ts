// Answers requests for new passwords: a mail to the account that has the address, and nothing
// where none has, or where it got too many.
import { job } from '../../../app.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { secretMail } from '../../mail/index.ts'
import { mailBuckets, take } from '../brute-force-limits.ts'
import { resetEmail } from '../emails.ts'
import { answerRequest, closeRequest, nextRequest } from './links.sql.ts'
import { macOf, newCode, newLink } from './links.ts'

export const answerResetRequests = job({
  name: 'answer_password_resets',
  does: 'Mails code and link to those who asked for a new password.',
  every_ms: 5_000,
  wakes_on: 'password_links',
  async run(app, call) {
    return app.db.transaction(async (sql) => {
      const request = await sql.maybe(nextRequest, [])
      if (!request) return { more: false }
      const { id, customer_id, is_known } = request
      const now = app.clock.now()
      // Bounded here, where nobody who asks can see it.
      const asked = { customer_id: customer_id ?? '', address: request.address ?? '', is_known }
      if (customer_id === null || (await take(sql, mailBuckets(asked))) > 0) {
        await sql.count(closeRequest, [id, now])
        return { more: true }
      }
      const code = newCode()
      const { url, token_hash } = newLink(app)
      const mac = macOf(app, { id, code })
      await sql.count(answerRequest, [id, customer_id, token_hash, mac, now])
      await secretMail(app, sql, { customer_id, letter: resetEmail({ id, url, code }) })
      const facts = { target_type: 'password_link', target: id, customer_id }
      await storeAuditRow(sql, call.auditRow({ ...facts, action: 'request_password_reset' }))
      return { more: true }
    })
  },
})
