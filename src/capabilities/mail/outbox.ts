// Transactional outbox: a mail and its task are rows, written in the transaction of their event.
import Type from 'typebox'
import type { App } from '../../app.ts'
import type { Sql } from '../../db/database.ts'
import { parseEmail } from '../../kit/net/email.ts'
import { type CustomerId, newId } from '../../kit/random.ts'
import { enqueue, taskKind } from '../../tasks/index.ts'
import { emailHtml } from './email-html.ts'
import { type EmailMessage, emailText } from './email-template.ts'
import { oneLine } from './email-words.ts'
import { addressee, insertMail, mailById, requeueMail } from './mails.sql.ts'

/**
 * The pauses grow from 1 s to an hour, so a mail is given up after about five days (RFC 5321,
 * 4.5.4.1).
 */
export const sendMail = taskKind({
  kind: 'send_mail',
  payload: Type.Object({ mail_id: Type.String() }),
  backoff: { first_ms: 1_000, longest_ms: 3_600_000 },
  most_attempts: 130,
})

/** Mails with a code or a link, whose reader waits for it: they never queue behind others. */
export const codes = 'codes'
export const others = ''

export type QueuedMail = {
  /** Null if the recipient is not a customer (yet). */
  customer_id: CustomerId | null
  /** One address, as parseEmail gives it. */
  to: string
  /** The kind of event, e.g. `expiry_notice`: for operators and tests, lower snake case. */
  kind: string
  /** Folded to one line of at most 200 characters. */
  subject: string
  /** Whether text and HTML are sealed: they hold a secret, which must not be readable here. */
  sealed?: boolean
  /**
   * The whole text without the footer (abuse contact, URL), which every mail gets when it is sent.
   */
  text: string
  /**
   * The same as HTML, escaped, without head and footer. The mail is plain text if it is left out.
   */
  html?: string
  /** The request that it answers: its browser may read it in the sandbox's mailbox. */
  request_id?: string
  /**
   * Names the event permanently, at most 400 characters, e.g. `expiry_notice:a.com:2027-01-31:30`.
   */
  dedupe_key: string
}

/**
 * Queues a mail inside the caller's transaction, if `sql` is one. Returns whether it was queued
 * now, or false if there already is a mail about the event. Throws an Error for a malformed
 * address, which the calling module should have refused.
 */
export async function queueMail(sql: Sql, mail: QueuedMail): Promise<boolean> {
  const to = parseEmail(mail.to)
  if (to === undefined) throw new Error(`Mail "${mail.kind}" is for no email address`)
  const { customer_id, kind, dedupe_key, sealed = false, request_id = null } = mail
  const subject = oneLine(mail.subject)
  const body = storable(mail.text)
  const html = mail.html === undefined ? null : storable(mail.html)
  const mail_id = newId('mail')
  const facts = { id: mail_id, customer_id, kind, dedupe_key, recipient: to, subject }
  const row = { ...facts, body, html, sealed, request_id }
  if ((await sql.count(insertMail, row)) === 0) return false
  const bulkhead = sealed ? codes : others
  await enqueue(sql, sendMail, { key: mail_id, payload: { mail_id }, bulkhead })
  return true
}

type Resent = 'queued' | 'absent' | 'without_text'

/** Queues a mail again that was given up or sent; one that waits is left as it is. */
export async function resendMailOfId(sql: Sql, id: string): Promise<Resent> {
  const mail = await sql.maybe(mailById, { id })
  if (!mail) return 'absent'
  if (mail.state === 'queued') return 'queued'
  if ((await sql.count(requeueMail, { id })) === 0) return 'without_text'
  await enqueue(sql, sendMail, { key: id, payload: { mail_id: id } })
  return 'queued'
}

/** PostgreSQL holds neither NUL nor lone surrogates. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\ufffd')
}

/**
 * Queues a mail to the owner of a customer account, at the address that it has now. Returns the
 * result of queueMail. Throws an Error for an unknown customer.
 */
export async function customerMail(
  sql: Sql,
  customer_id: CustomerId,
  message: EmailMessage,
): Promise<boolean> {
  return queueMail(sql, await addressed(sql, customer_id, message))
}

/**
 * Like customerMail, for a mail with a secret in it (a link, a code): its text is sealed while it
 * waits, and purged as soon as it was sent or given up.
 */
export async function secretMail(
  { encryption }: Pick<App, 'encryption'>,
  sql: Sql,
  { customer_id, message }: { customer_id: CustomerId; message: EmailMessage },
): Promise<boolean> {
  const mail = await addressed(sql, customer_id, message)
  return queueMail(sql, { ...mail, ...sealed(encryption, mail) })
}

/**
 * Like secretMail, to an address that is not verified. Its greeting has no name, since an unknown
 * sender chose the name, and the address may belong to another person.
 */
export async function unverifiedMail(
  { encryption }: Pick<App, 'encryption'>,
  sql: Sql,
  { to, message }: { to: string; message: EmailMessage },
): Promise<boolean> {
  const mail = { customer_id: null, to, ...contents(message, null) }
  return queueMail(sql, { ...mail, ...sealed(encryption, mail) })
}

/** Queues a mail to an address of the service's own people. */
export async function staffMail(
  sql: Sql,
  { to, message }: { to: string; message: EmailMessage },
): Promise<boolean> {
  return queueMail(sql, { customer_id: null, to, ...contents(message, null) })
}

type Bodies = { text: string; html: string }

function sealed(encryption: App['encryption'], { text, html }: Bodies) {
  return { text: encryption.seal(text), html: encryption.seal(html), sealed: true }
}

function contents(message: EmailMessage, name: string | null) {
  const { kind, dedupe_key, request_id } = message
  const bodies = { text: emailText(message, name), html: emailHtml(message, name) }
  const subject = message.subject.toString()
  return {
    kind,
    dedupe_key,
    subject,
    ...(request_id === undefined ? {} : { request_id }),
    ...bodies,
  }
}

async function addressed(sql: Sql, customer_id: CustomerId, message: EmailMessage) {
  const { email, name } = await sql.one(addressee, { id: customer_id })
  return { customer_id, to: email, ...contents(message, name) }
}
