// Sends what the outbox holds: at least once, with a Message-ID that stays, and never in the way of
// what queued it.
import { randomUUID } from 'node:crypto'
import type { Mailer } from '../../adapters/mail/port.ts'
import { type App, job } from '../../app.ts'
import { backoffMs } from '../../kit/concurrency/backoff.ts'
import { unseal } from '../../kit/encryption.ts'
import { foot } from './email-template.ts'
import { type ClaimedMail, claimMails, markFailed, markSent, putBack } from './mails.sql.ts'

const atOnce = 20
// Longer than a mailer may take for one mail.
const claimed_ms = 180_000
/** Once an hour in the end, so a mail is given up after about five days (RFC 5321, 4.5.4.1). */
export const most_attempts = 130
const away_wait_ms = 5_000

/** 1 s after the first attempt, then twice as long each time, at most an hour. */
export function retryInMs(attempts: number): number {
  return backoffMs(attempts, { first_ms: 1_000, longest_ms: 3_600_000 })
}

export const sendMails = job({
  name: 'send_mails',
  does: 'Sends the mails that wait in the outbox.',
  every_ms: 1_000,
  async run(app) {
    const { mailer } = app
    if (mailer === null) return { more: false }
    // While the server is away one mail at a time finds out when it is back.
    const limit = mailer.health().state === 'down' ? 1 : atOnce
    const token = randomUUID()
    const due = await app.db.run(claimMails, [limit, claimed_ms, token])
    await Promise.all(
      due.map((mail) =>
        deliver(app, mailer, { mail, token }).catch((error) => {
          // Its claim ends by itself; if it was sent, it is sent again under the same Message-ID.
          app.log.error({ err: error, mail: mail.id }, 'mail not marked')
        }),
      ),
    )
    return { more: due.length === atOnce && mailer.health().state !== 'down' }
  },
})

type Claim = { mail: ClaimedMail; token: string }

async function deliver(app: App, mailer: Mailer, { mail, token }: Claim): Promise<void> {
  const { id, kind, attempts, recipient: to, subject, created_at } = mail
  const body = mail.sealed ? unseal(app, mail.body) : mail.body
  if (body === undefined) {
    const reason = 'It was sealed with another ENCRYPTION_KEY'
    await app.db.count(markFailed, [id, token, reason])
    app.log.error({ mail: id, kind, reason, alarm: 'mail_unreadable' }, 'mail needs a person')
    return
  }
  const text = body + foot(app.settings)
  const posted = await mailer.send({ id, to, subject, text, created_at })
  app.reached('mail_sent')
  const facts = { mail: id, kind, reason: posted.message }
  switch (posted.kind) {
    case 'sent':
      await app.db.count(markSent, [id])
      app.log.info({ mail: id, kind }, 'mail sent')
      return
    case 'refused':
      await app.db.count(markFailed, [id, token, posted.message])
      app.log.error({ ...facts, alarm: 'mail_refused' }, 'mail needs a person')
      return
    case 'away':
      await app.db.count(putBack, [id, token, away_wait_ms, 0, posted.message])
      return
    case 'delayed':
    case 'unknown':
      break
  }
  if (attempts + 1 < most_attempts) {
    const wait_ms = retryInMs(attempts + 1)
    await app.db.count(putBack, [id, token, wait_ms, 1, posted.message])
    app.log.warn({ ...facts, again_in_ms: wait_ms }, 'mail not sent yet')
    return
  }
  await app.db.count(markFailed, [id, token, posted.message])
  app.log.error({ ...facts, alarm: 'mail_given_up' }, 'mail needs a person')
}
