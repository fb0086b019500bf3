// Lists the mails that were given up for operators, and sends one again.

import Type from 'typebox'
import { operation, operatorOnly } from '../../../app.ts'
import { fault } from '../../../kit/fault.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { dateTime, identifier, nullable, stringOf } from '../../../kit/schema.ts'
import { byId } from '../../../lists/cursor.ts'
import { workList } from '../../../lists/work-list.ts'
import { resendMailOfId } from '../../mail/index.ts'
import { failedMails } from './work.sql.ts'

const mailToResendAbsent = fault('mail_to_resend_not_found', 'absent', {
  sentence: 'There is no mail with this id.',
  hint: 'List the failed mails.',
})
const mailTextGone = fault('mail_text_gone', 'conflict', {
  sentence: 'The text of the mail is no longer stored: it had a secret in it, or is too old.',
  hint: 'Repeat the action that caused it: request another password reset, for example.',
  next: 'choose_alternative',
})

const failedMail = Type.Object(
  {
    id: Type.String({ description: '"mail_" and 26 characters.' }),
    customer_id: nullable(
      stringOf<CustomerId>({ description: 'The customer, or null if there is no account (yet).' }),
    ),
    kind: Type.String({ description: 'The kind of mail.' }),
    recipient: Type.String(),
    subject: Type.String(),
    resendable: Type.Boolean({ description: 'Whether its text is still stored.' }),
    last_error: nullable(Type.String({ description: 'The error of the last attempt.' })),
    created_at: dateTime('When it was queued.'),
    ended_at: dateTime('When it failed.'),
  },
  { title: 'FailedMail' },
)

/** Above every id, as "~" is above each of its characters. */
const afterEveryMail = 'mail_~'

export const listFailedMails = workList({
  name: 'list_failed_mails',
  does: 'List the failed mails, newest first.',
  at: 'GET /v1/internal/mails',
  area: 'Operators',
  entries: 'mails',
  entry: failedMail,
  title: 'FailedMails',
  by: byId('mail'),
  read: ({ after, most: limit }, { sql }) =>
    sql.run(failedMails, { before: after ?? afterEveryMail, limit }),
  keyOf: ({ id }) => id,
  present: (rows) =>
    rows.map(({ text, created_at, ended_at, ...row }) => ({
      ...row,
      resendable: text,
      created_at: created_at.toISOString(),
      ended_at: ended_at.toISOString(),
    })),
})

export const resendMail = operation({
  name: 'resend_mail',
  does: 'Send a mail again that failed, or that was sent and did not arrive.',
  more: 'One that still waits is left as it is.',
  at: 'POST /v1/internal/mails/{mail_id}/resend',
  area: 'Operators',
  who: operatorOnly(),
  takes: Type.Object({ mail_id: identifier('mail', 'The mail.') }),
  gives: Type.Object({ id: Type.String(), state: Type.Literal('queued') }, { title: 'ResentMail' }),
  status: 202,
  fails: [mailToResendAbsent, mailTextGone],
  effect: 'transaction',
  target: ({ mail_id }) => ({ target_type: 'mail', target: mail_id }),
  async run({ mail_id }, { sql }) {
    const found = await resendMailOfId(sql, mail_id)
    if (found === 'absent') throw mailToResendAbsent()
    if (found === 'without_text') throw mailTextGone()
    return { id: mail_id, state: 'queued' as const }
  },
})
