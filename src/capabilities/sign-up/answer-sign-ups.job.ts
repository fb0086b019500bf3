// Answers requests of sign-ups: mails a code and a link to an address without an account, and a
// notice to the owner of an account that has the address. Sends nothing if the address got too many
// mails.
import type { App, Call } from '../../app.ts'
import type { Sql } from '../../db/database.ts'
import { newSecret } from '../../kit/random.ts'
import { publicUrls } from '../../origins.ts'
import { take } from '../../rate-limits/leaky-buckets.ts'
import { storeAuditRow } from '../audit/index.ts'
import { customerMail, unverifiedMail } from '../mail/index.ts'
import { macOf, mailRequestJob, newCode, signUpMailBuckets } from '../sign-in/index.ts'
import { accountExistsEmail, verificationEmail } from './emails.ts'
import { answerSignUp, closeSignUpRequest, unansweredSignUp } from './sign-ups.sql.ts'

export const signUpTokenPrefix = 'sgt_'

export const answerSignUps = mailRequestJob({
  kind: 'answer_sign_up',
  name: 'answer_sign_ups',
  does: 'Mails the code and the link of sign-ups.',
  wakes_on: 'sign_ups',
  answer,
})

type Request = { sql: Sql; id: string }

async function answer(app: App, call: Call, { sql, id }: Request): Promise<void> {
  const request = await sql.maybe(unansweredSignUp, { id })
  if (!request) return
  const { email, address, customer_id } = request
  const answered_at = app.clock.now()
  // The limit applies here, where no client that asks can see it.
  if ((await take(sql, signUpMailBuckets({ email, address }))) > 0) {
    await sql.count(closeSignUpRequest, { id, answered_at })
    return
  }
  if (customer_id === null) {
    const code = newCode()
    const { value, hash } = newSecret(signUpTokenPrefix)
    const code_mac = macOf(app, { id, code })
    await sql.count(answerSignUp, { id, token_hash: hash, code_mac, answered_at })
    // In the fragment, which no server, log or Referer gets.
    const url = `${publicUrls(app.settings).dashboard_url}/sign-up/verify#token=${value}`
    const message = verificationEmail(request, { code, url })
    await unverifiedMail(app, sql, { to: email, message })
    return
  }
  await sql.count(answerSignUp, { id, token_hash: null, code_mac: null, answered_at })
  await customerMail(sql, customer_id, accountExistsEmail(request, app.settings.base_url))
  const facts = { target_type: 'sign_up', target: id, customer_id }
  await storeAuditRow(sql, call.auditRow({ ...facts, action: 'sign_up' }))
}
