// Limits the mails that a key or an app can cause, which otherwise would fill the owner's mailbox
// and
// the outbox: a leaky bucket of the account (decision 14). The owner in person and operators are
// not limited.
import type { Call } from '../../app.ts'
import { fault } from '../../kit/fault.ts'
import { take } from '../../rate-limits/leaky-buckets.ts'
import type { EmailMessage } from './email-template.ts'
import { customerMail } from './outbox.ts'

export const noticesLimited = fault('notices_limited', 'limited', {
  sentence: 'Requests like this one have caused too many mails to the owner of this account.',
  hint: 'Nothing was changed. Try again after Retry-After.',
})

/** The number of mails at once; after that, one more every `drain_s` seconds. */
const most_caused = 60
const drain_s = 60

type By = Pick<Call, 'caller' | 'customer_id' | 'sql'>

/**
 * Queues a mail to the owner in the transaction of the request that it is about. Throws
 * `notices_limited`, which undoes the request, where a key or an app has caused too many.
 */
export async function callersMail(by: By, message: EmailMessage): Promise<boolean> {
  const { caller, customer_id, sql } = by
  if (caller.kind === 'api_key' || caller.kind === 'oauth_client') {
    const bucket = { key: `caused_mails ${customer_id}`, most: most_caused, drain_s }
    const wait_s = await take(sql, [bucket])
    if (wait_s > 0) throw noticesLimited({ retry_after_s: wait_s })
  }
  return customerMail(sql, customer_id, message)
}
