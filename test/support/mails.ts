// Mails that arrived at the sandbox mail server, as their readers see them.
import PostalMime, { type Email } from 'postal-mime'
import type { MailServer } from '../../sandbox/mailbox/index.ts'

/** To this address; with such a subject; at least so many, one if not said. */
export type WantedMails = { to?: string; subject?: RegExp; count?: number }

/** Oldest first: all that are there, or once enough fit. Rejects after 15 s. */
export async function readMails(mailbox: MailServer, wanted?: WantedMails): Promise<Email[]> {
  const { to, subject, count = 1 } = wanted ?? { count: 0 }
  return mailbox.until(async (kept) => {
    const theirs = kept.filter((mail) => to === undefined || mail.to.includes(to))
    const read = await Promise.all(theirs.map(({ raw }) => PostalMime.parse(raw)))
    const fit = read.filter((mail) => !subject || subject.test(mail.subject ?? ''))
    return fit.length >= count ? fit : undefined
  })
}
