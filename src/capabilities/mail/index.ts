// The mail room: how other rooms tell people what happened.
import { forgetMails } from './forget-mails.job.ts'
import { sendMails } from './send-mails.job.ts'

export { type MailHealth, mailHealth } from './health.ts'
export type { Letter } from './letter.ts'
export { customerMail, type QueuedMail, queueMail, secretMail } from './queue.ts'
export { oneLine, paragraph, words } from './words.ts'

export const jobs = [sendMails, forgetMails]
