// The outbox of mails to customers: queued in the transaction of their event, sent by a job.
import { purgeMailTexts } from './purge-mails.job.ts'
import { sendMails } from './send-mails.job.ts'

export type { EmailMessage } from './email-template.ts'
export { oneLine, paragraph, words } from './email-words.ts'
export { type MailHealth, mailHealth } from './mail-health.ts'
export { customerMail, type QueuedMail, queueMail, secretMail } from './outbox.ts'

export const jobs = [sendMails, purgeMailTexts]
