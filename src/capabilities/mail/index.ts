// The outbox of mails to customers: queued in the transaction of their event, sent by a job.

import type { App } from '../../app.ts'
import { readOutbox } from './mails.sql.ts'
import { purgeMailTexts } from './purge-mails.job.ts'
import { sendMails } from './send-mails.job.ts'

export { callersMail, noticesLimited } from './caused-mails.ts'
export { button, code, item, type MailPart, quote, quoteLines } from './email-blocks.ts'
export type { EmailMessage } from './email-template.ts'
export { link, oneLine, paragraph, words } from './email-words.ts'
export {
  customerMail,
  type QueuedMail,
  queueMail,
  resendMailOfId,
  secretMail,
  staffMail,
  unverifiedMail,
} from './outbox.ts'

export const jobs = [sendMails, purgeMailTexts]

/** Whether mail is sent, as far as the outbox and this node's mailer know. */
export type MailHealth = {
  state: 'up' | 'down' | 'idle'
  /** The number of mails in the outbox. */
  waiting: number
  /** The number of mails that were given up within the last day. */
  failed: number
  detail: string | null
}

/** A due mail is only this late if no node sends mails. */
const late_s = 60

/**
 * `down` if no server is set, if it cannot be reached from here, or if mails are held up on any
 * node.
 */
export async function mailHealth({ db, mailer }: Pick<App, 'db' | 'mailer'>): Promise<MailHealth> {
  const outbox = await db.one(readOutbox)
  const here = mailer?.health() ?? { state: 'down', trouble: null }
  const [waiting, failed] = [Number(outbox.waiting), Number(outbox.failed)]
  const problems: string[] = []
  if (mailer === null) problems.push('SMTP_URL is not set')
  if (here.trouble !== null) problems.push(`the mail server cannot be reached (${here.trouble})`)
  else if (outbox.held_up > 0n) problems.push('the mail server cannot be reached')
  if (outbox.late_s > late_s) problems.push(`mail is late by ${Math.round(outbox.late_s)} s`)
  const state = problems.length > 0 ? 'down' : here.state
  return { state, waiting, failed, detail: problems.length > 0 ? problems.join('; ') : null }
}
