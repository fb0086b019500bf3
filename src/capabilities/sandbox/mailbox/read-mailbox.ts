// The sandbox's mailbox over HTTP, so that sign-up and resets work without a mail server. Mails
// have links and codes, so a caller reads only those of its own requests and address (decision 45).

import Type, { type Static } from 'typebox'
import { type App, anyone, type Call, operation } from '../../../app.ts'
import { fault } from '../../../kit/fault.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { dateTime, identifier } from '../../../kit/schema.ts'
import { hasBrowserMailbox, requestsOfBrowser } from '../../sign-in/index.ts'
import { type MailboxRow, mailOfCaller, mailsOfAll, mailsOfBrowser } from './mailbox.sql.ts'

const mailboxUnavailable = fault('mailbox_unavailable', 'absent', {
  sentence: 'This service has no mailbox to read here.',
  hint: 'Its mails go to a mail server, or other machines can reach it: check your inbox.',
  next: 'ask_owner',
})
const mailNotFound = fault('mail_not_found', 'absent', {
  sentence: 'There is no such mail.',
  hint: 'GET /v1/sandbox/mailbox lists the mails that you may read.',
})

const most = 100

const listedMail = {
  mail_id: identifier('mail'),
  kind: Type.String({ description: 'The event that it is about.' }),
  to: Type.String({ description: 'The address that it was sent to.' }),
  subject: Type.String(),
  sent_at: dateTime('When it was sent.'),
}

type Reader = { is_operator: boolean; requests: string[]; customer_id: CustomerId | null }

/**
 * Keys and apps see as much as an anonymous caller: with the link of a reset an agent would take
 * over its owner's account. Throws mailboxUnavailable.
 */
function readerOf(app: App, call: Call): Reader {
  const { caller } = call
  const is_operator = caller.kind === 'operator'
  if (app.mailbox === null || !(is_operator || hasBrowserMailbox(app))) throw mailboxUnavailable()
  const customer_id = caller.kind === 'customer' ? caller.customer_id : null
  return { is_operator, requests: requestsOfBrowser(app, call), customer_id }
}

function presented({ id, kind, recipient, subject, sent_at }: MailboxRow) {
  return { mail_id: id, kind, to: recipient, subject, sent_at: sent_at.toISOString() }
}

const about = { area: 'Sandbox', who: anyone(), effect: 'none' } as const

export const listMailbox = operation({
  ...about,
  name: 'list_sandbox_mailbox',
  does:
    "List mails that the sandbox's mail server kept, newest first: an operator sees all, a " +
    'browser or session those that it caused, and any other program none.',
  more:
    'Without SMTP_URL the sandbox keeps all mails. A browser sees those of the sign-ups, resets ' +
    'and changes of address that it requested; with a session, also the mails to its own ' +
    `address; an operator sees all. The list has at most ${most}.`,
  at: 'GET /v1/sandbox/mailbox',
  takes: Type.Object({}),
  gives: Type.Object(
    { mails: Type.Array(Type.Object(listedMail, { title: 'SandboxMail' })) },
    { title: 'SandboxMailboxResponse' },
  ),
  fails: [mailboxUnavailable],
  async run(_input, call, app) {
    const { is_operator, requests, customer_id } = readerOf(app, call)
    const rows = is_operator
      ? await app.db.run(mailsOfAll, { limit: most })
      : await app.db.run(mailsOfBrowser, { requests, customer_id, limit: most })
    return { mails: rows.map(presented) }
  },
})

const wholeMail = Type.Object(
  { ...listedMail, text: Type.String({ description: 'Its plain text, with links and codes.' }) },
  { title: 'SandboxMailResponse' },
)

export const readMailboxMail = operation({
  ...about,
  name: 'read_sandbox_mail',
  does: "Read a mail that the sandbox's mail server kept.",
  at: 'GET /v1/sandbox/mailbox/{mail_id}',
  takes: Type.Object({ mail_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  gives: wholeMail,
  fails: [mailboxUnavailable, mailNotFound],
  async run({ mail_id: id }, call, app): Promise<Static<typeof wholeMail>> {
    const row = await app.db.maybe(mailOfCaller, { id, ...readerOf(app, call) })
    const mail = row && (await app.mailbox?.read(id))
    if (!row || !mail) throw mailNotFound()
    return { ...presented(row), text: mail.text }
  },
})
