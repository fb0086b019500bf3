// Mails the owner of an account a link to set a password; operators only.
import Type from 'typebox'
import { operation, operatorOnly } from '../../../app.ts'
import { type CustomerId, newId } from '../../../kit/random.ts'
import { dateTime, stringOf } from '../../../kit/schema.ts'
import { take } from '../../../rate-limits/leaky-buckets.ts'
import { customerAbsent, customerById, lockCustomer } from '../../account/index.ts'
import { secretMail } from '../../mail/index.ts'
import { setupBuckets } from '../brute-force-limits.ts'
import { setupEmail } from '../emails.ts'
import { accountClosed, tooManyTries } from '../faults.ts'
import { endLinks, insertSetup } from './links.sql.ts'
import { newLink, setup_ms } from './links.ts'

export const sendPasswordSetup = operation({
  name: 'send_password_setup',
  does: 'Mail the owner of an account a link to set a password.',
  more: 'The link works once, for 24 hours, until the next such mail. Only the owner sees it.',
  at: 'POST /v1/customers/{customer_id}/password-setup',
  area: 'Account and customers',
  who: operatorOnly(),
  takes: Type.Object({ customer_id: stringOf<CustomerId>({ description: 'The customer.' }) }),
  gives: Type.Object(
    {
      email: Type.String({ description: 'The address that the mail goes to.' }),
      expires_at: dateTime('When the link expires.'),
    },
    { title: 'PasswordSetupResponse' },
  ),
  status: 202,
  fails: [customerAbsent, accountClosed, tooManyTries],
  effect: 'transaction',
  target: ({ customer_id }, output) => ({
    target_type: 'customer',
    target: customer_id,
    metadata: output ? { email: output.email } : {},
  }),
  async run({ customer_id }, { sql }, app) {
    await lockCustomer(sql, customer_id)
    const customer = await customerById(sql, customer_id)
    if (!customer) throw customerAbsent()
    if (customer.status === 'closed') throw accountClosed()
    const wait_s = await take(sql, setupBuckets(customer_id))
    if (wait_s > 0) throw tooManyTries({ retry_after_s: wait_s })
    const now = app.clock.now()
    const expires_at = new Date(now.getTime() + setup_ms)
    const id = newId('pwl', now.getTime())
    const { url, token_hash } = newLink(app)
    const email = customer.email.toLowerCase()
    await sql.count(endLinks, { customer_id, now, kind: 'setup' })
    await sql.count(insertSetup, { id, email, customer_id, token_hash, now, expires_at })
    await secretMail(app, sql, { customer_id, message: setupEmail({ id, url }) })
    return { email: customer.email, expires_at: expires_at.toISOString() }
  },
})
