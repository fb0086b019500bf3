// Updates the caller's profile. A new e-mail address, by which the owner logs in and gets reset
// mails, needs the owner in person, and counts once it is verified.
import Type from 'typebox'
import { type App, type Call, operation, owner, Reply } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { FieldReader } from '../../../kit/field-reader.ts'
import { sameEmail } from '../../../kit/net/email.ts'
import { type CustomerId, newId, newSecret } from '../../../kit/random.ts'
import { nullable } from '../../../kit/schema.ts'
import { publicUrls } from '../../../origins.ts'
import { take } from '../../../rate-limits/leaky-buckets.ts'
import {
  changeProfile,
  customerAbsent,
  customerById,
  customerResponse,
  hasCustomerWithEmail,
  sessionRequired,
} from '../../account/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { customerMail, unverifiedMail } from '../../mail/index.ts'
import { emailChangeBuckets } from '../brute-force-limits.ts'
import { passwordNeeded, tooManyTries, wrongPassword } from '../faults.ts'
import { confirmOwner } from '../passwords/confirm-owner.ts'
import { givenPassword } from '../schemas.ts'
import { rememberRequest } from '../sessions/mailbox-cookie.ts'
import {
  addressTakenEmail,
  changeRequestedEmail,
  verifyAddressEmail,
} from './email-change-emails.ts'
import { endEmailChanges, insertEmailChange } from './email-changes.sql.ts'

const day_ms = 86_400_000
export const emailTokenPrefix = 'emt_'

export const updateAccount = operation({
  name: 'update_account',
  does: "Change the account's name, company or email address.",
  more:
    'Send at least one field. A new email address needs a session, and "current_password" unless ' +
    'the log-in is at most ten minutes old. It takes effect once its owner has opened the ' +
    'mailed link (POST /v1/account/email/verify); the old address is notified.',
  at: 'PATCH /v1/account',
  area: 'Account and customers',
  who: owner('account:write'),
  takes: Type.Object(
    {
      name: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'A person or a team.' }),
      ),
      company_name: Type.Optional(
        nullable(
          Type.String({
            maxLength: 200,
            description: 'The company. Null or a blank text removes it.',
          }),
        ),
      ),
      email: Type.Optional(
        Type.String({
          minLength: 3,
          maxLength: 320,
          description: 'The new address, which takes effect once it is verified.',
        }),
      ),
      current_password: Type.Optional(givenPassword),
    },
    { title: 'CustomerProfileUpdateRequest' },
  ),
  gives: Type.Object(
    {
      customer: customerResponse,
      email_verification_sent: Type.Boolean({
        description: 'Whether a mail went to a new email address.',
      }),
    },
    { title: 'CustomerProfileUpdateResponse' },
  ),
  fails: [sessionRequired, passwordNeeded, wrongPassword, tooManyTries],
  effect: 'own',
  at_least_one_of: ['name', 'company_name', 'email'],
  target: () => ({ target_type: 'customer', target: null }),
  async run({ current_password, ...input }, call, app) {
    const reading = new FieldReader()
    const name = input.name === undefined ? null : reading.line('name', input.name)
    const company_name = reading.optionalLine('company_name', input.company_name)
    const given = input.email === undefined ? null : reading.mailbox('email', input.email)
    reading.finish()
    const { customer_id } = call
    const current = await customerById(app.db, customer_id)
    if (!current) throw customerAbsent()
    // The current address is no change: an agent may send back what it has read.
    const email = given !== null && !sameEmail(given, current.email) ? given : null
    if (email !== null) await requireConfirmed(app, call, { current, current_password })
    return app.db.transaction(async (sql) => {
      const customer = await changeProfile(sql, {
        id: customer_id,
        name,
        sets_company_name: input.company_name !== undefined,
        company_name,
        updated_at: app.clock.now(),
      })
      const change = email === null ? null : await requestChange(app, sql, { customer_id, email })
      await call.assertStillAllowed({ sql })
      const metadata = { fields: Object.keys(input).sort() }
      const facts = { target_type: 'customer', target: customer_id, status_code: 200, metadata }
      await storeAuditRow(sql, call.auditRow(facts))
      const headers = change === null ? {} : rememberRequest(app, call, change)
      return new Reply({ customer, email_verification_sent: email !== null }, headers)
    })
  },
})

type Confirming = { current: { email: string }; current_password: string | undefined }

async function requireConfirmed(
  app: App,
  call: Call,
  { current: { email }, current_password: password }: Confirming,
): Promise<void> {
  const { caller } = call
  if (caller.kind !== 'customer') throw sessionRequired()
  const given = password === undefined ? null : { email, password }
  await confirmOwner(app, call, { caller, given })
}

/**
 * The statements and the response are the same whether or not another account has the address: its
 * owner gets a mail without a link.
 */
async function requestChange(
  app: App,
  sql: Sql,
  { customer_id, email }: { customer_id: CustomerId; email: string },
): Promise<string> {
  const { base_url, site_url } = app.settings
  const wait_s = await take(sql, emailChangeBuckets(email))
  if (wait_s > 0) throw tooManyTries({ retry_after_s: wait_s })
  const now = app.clock.now()
  const id = newId('emc', now.getTime())
  const { value, hash } = newSecret(emailTokenPrefix)
  await sql.count(endEmailChanges, { customer_id, now })
  const expires_at = new Date(now.getTime() + day_ms)
  await sql.count(insertEmailChange, { id, customer_id, email, token_hash: hash, now, expires_at })
  const isTaken = await hasCustomerWithEmail(sql, email)
  // In the fragment, which no server, log or Referer gets.
  const facts = new URLSearchParams({ token: value, email })
  const url = `${publicUrls(app.settings).dashboard_url}/email/verify#${facts}`
  const message = isTaken ? addressTakenEmail(id) : verifyAddressEmail({ id, url })
  await unverifiedMail(app, sql, { to: email, message })
  await customerMail(sql, customer_id, changeRequestedEmail({ id, email, base_url, site_url }))
  return id
}
