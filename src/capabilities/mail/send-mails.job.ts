// Sends the mails of the outbox, each at least once, with a Message-ID that stays the same.
import type { Mail, Mailer } from '../../adapters/mail/port.ts'
import { type App, job } from '../../app.ts'
import { Html } from '../../kit/html.ts'
import { done, inBulkheads, type TaskEnd, workTasks } from '../../tasks/index.ts'
import { emailDocument } from './email-html.ts'
import { footerText } from './email-template.ts'
import { markFailed, markSent, type QueuedMailRow, readQueuedMail } from './mails.sql.ts'
import { codes, others, sendMail } from './outbox.ts'

const at_once = 20
const away_wait_ms = 5_000
const pause_ms = 200

export const sendMails = job({
  name: 'send_mails',
  does: 'Sends the mails that wait in the outbox.',
  every_ms: 1_000,
  per_node: true,
  task_kind: sendMail.kind,
  async run(app) {
    const { mailer } = app
    if (mailer === null) return { more: false }
    const isDown = () => mailer.health().state === 'down'
    return await inBulkheads(
      [codes, others],
      async (bulkhead) => {
        const claimed = await workTasks(app, sendMail, {
          bulkhead,
          // While the server is unreachable, one mail at a time finds out when it is back.
          limit: isDown() ? 1 : at_once,
          handle: ({ payload, is_last }) => send(app, mailer, { id: payload.mail_id, is_last }),
        })
        return { more: claimed === at_once && !isDown() }
      },
      pause_ms,
    )
  },
})

type Due = { id: string; is_last: boolean }

async function send(app: App, mailer: Mailer, { id, is_last }: Due): Promise<TaskEnd> {
  const mail = await app.db.maybe(readQueuedMail, { id })
  if (!mail) return done
  return deliver(app, mailer, { id, is_last, mail }).catch((error) => {
    // A mail whose task is dead is never claimed again, so it ends as failed.
    if (!is_last) throw error
    const reason = error instanceof Error ? error.message : String(error)
    return givenUp(app, { id, kind: mail.kind, reason, alarm: 'mail_given_up' })
  })
}

type Delivery = Due & { mail: QueuedMailRow }

async function deliver(app: App, mailer: Mailer, delivery: Delivery): Promise<TaskEnd> {
  const { id, is_last, mail } = delivery
  const { kind, recipient: to, subject, created_at } = mail
  const bodies = bodiesOf(app, mail)
  if (bodies === undefined) {
    const reason = 'It was sealed with another ENCRYPTION_KEY'
    return givenUp(app, { id, kind, reason, alarm: 'mail_unreadable' })
  }
  const posted = await mailer.send({ id, to, subject, ...bodies, created_at })
  app.reached?.('mail_sent')
  const facts = { id, kind, reason: posted.message }
  switch (posted.kind) {
    case 'sent':
      // This also applies if the lease was lost meanwhile.
      await app.db.count(markSent, { id })
      app.log.info({ mail: id, kind }, 'mail sent')
      return done
    case 'refused':
      return givenUp(app, { ...facts, alarm: 'mail_refused' })
    case 'away':
      return putOff(app, { ...facts, in_ms: away_wait_ms, uncounted: true })
    case 'delayed':
    case 'unknown':
      return is_last ? givenUp(app, { ...facts, alarm: 'mail_given_up' }) : putOff(app, facts)
  }
}

/** The texts with the footer, or undefined if they were sealed with another key. */
function bodiesOf(
  { encryption, settings }: App,
  { body, html, sealed, subject, customer_id }: QueuedMailRow,
): Pick<Mail, 'text' | 'html'> | undefined {
  const text = sealed ? encryption.unseal(body) : body
  const part = sealed && html !== null ? encryption.unseal(html) : html
  if (text === undefined || part === undefined) return undefined
  const { site_url, abuse_contact } = settings
  const footer = { site_url, abuse_contact, is_owner: customer_id !== null }
  const whole = { text: text + footerText(footer) }
  if (part === null) return whole
  return { ...whole, html: emailDocument({ subject, body: new Html(part), footer }) }
}

type Facts = { id: string; kind: string; reason: string }

function givenUp(app: App, { id, alarm, ...facts }: Facts & { alarm: string }): TaskEnd {
  return {
    end: 'dead',
    reason: facts.reason,
    effects: async (sql) => {
      await sql.count(markFailed, { id })
      app.log.error({ mail: id, ...facts, alarm }, 'mail needs manual review')
    },
  }
}

type PutOff = Facts & { in_ms?: number; uncounted?: true }

function putOff(app: App, { id, kind, reason, ...how }: PutOff): TaskEnd {
  return {
    end: 'retry',
    reason,
    ...how,
    effects: async (_sql, wait_ms) => {
      if (!how.uncounted)
        app.log.warn({ mail: id, kind, reason, again_in_ms: wait_ms }, 'mail not sent yet')
    },
  }
}
