// Verifies a new e-mail address with the token of the mailed link.
import Type from 'typebox'
import { operation, ownerInPerson } from '../../../app.ts'
import { hashSecret, isWellFormedSecret } from '../../../kit/random.ts'
import {
  changeEmail,
  customerAbsent,
  customerById,
  customerResponse,
  emailTaken,
  lockCustomer,
  sessionRequired,
} from '../../account/index.ts'
import { customerMail } from '../../mail/index.ts'
import { emailLinkNotValid } from '../faults.ts'
import { addressChangedEmail } from './email-change-emails.ts'
import { useEmailChange } from './email-changes.sql.ts'
import { emailTokenPrefix } from './update-account.ts'

export const verifyNewEmail = operation({
  name: 'verify_email',
  does: "Verify the account's new email address with the token of the mailed link.",
  more: 'The old address is notified. Password-reset links that were sent to it become invalid.',
  at: 'POST /v1/account/email/verify',
  area: 'Account and customers',
  who: ownerInPerson(),
  takes: Type.Object(
    {
      token: Type.String({
        minLength: 20,
        maxLength: 512,
        description: 'The part of the link after "#token=".',
      }),
    },
    { title: 'AccountEmailVerificationRequest' },
  ),
  gives: customerResponse,
  fails: [sessionRequired, emailLinkNotValid, emailTaken, customerAbsent],
  effect: 'transaction',
  target: (_input, customer) => ({
    target_type: 'customer',
    target: customer?.id ?? null,
    metadata: customer ? { email: customer.email } : {},
  }),
  async run({ token }, { sql, customer_id }, app) {
    if (!isWellFormedSecret(emailTokenPrefix, token)) throw emailLinkNotValid()
    await lockCustomer(sql, customer_id)
    const now = app.clock.now()
    const used = await sql.maybe(useEmailChange, {
      token_hash: hashSecret(token),
      customer_id,
      now,
    })
    if (!used) throw emailLinkNotValid()
    const { base_url, site_url } = app.settings
    // First, while the account has the old address.
    await customerMail(sql, customer_id, addressChangedEmail({ ...used, base_url, site_url }))
    await changeEmail(sql, { id: customer_id, email: used.email, changed_at: now })
    const customer = await customerById(sql, customer_id)
    if (!customer) throw customerAbsent()
    return customer
  },
})
