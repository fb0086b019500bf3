// The mailer over SMTP (RFC 5321, 6409), with a small pool of connections to the server of
// SMTP_URL.
import type { Logger } from 'pino'
import { parseEmail } from '../../kit/net/email.ts'
import { errorCodeOf, kindOf, readSmtpError } from './delivery-outcome.ts'
import type { Mail, Mailer, MailerHealth, Posted } from './port.ts'

type SmtpParts = {
  /**
   * The URL is smtp:// (STARTTLS if the server offers it) or smtps://, and may contain user and
   * password.
   */
  url: string
  /** The sender's address. */
  from: string
  log: Logger
  /** The time that one attempt may take in all, 120000 by default. */
  deadline_ms?: number
}

const connect_timeout_ms = 10_000
const silence_timeout_ms = 60_000
const deadline_ms = 120_000
// Shorter than the limit of any server, so that no server hangs up on a connection that is just
// being used again.
const idle_ms = 5_000

/** Connects only when the first mail is sent. */
export function openSmtpMailer(parts: SmtpParts): Mailer {
  const { from, log } = parts
  const domain = from.slice(from.indexOf('@') + 1)
  let health: MailerHealth = { state: 'idle', trouble: null }
  let opening: ReturnType<typeof openPool> | null = null

  function note({ kind, trouble }: { kind: Posted['kind']; trouble: string | null }): void {
    // If a connection broke, it is not known whether the next one will, too.
    if (kind === 'unknown') return
    const state = kind === 'away' ? 'down' : 'up'
    if (state === 'down' && health.state !== 'down')
      log.warn({ trouble }, 'mail server is unreachable')
    if (state === 'up' && health.state === 'down') log.info('mail server is reachable again')
    health = { state, trouble: kind === 'away' ? trouble : null }
  }

  async function send(mail: Mail): Promise<Posted> {
    if (parseEmail(mail.to) !== mail.to) return { kind: 'refused', message: 'no email address' }
    try {
      opening ??= openPool(parts.url)
      const pool = await opening
      const { response } = await pool.sendMail({
        // These are objects instead of text, so that they are never split into more addresses.
        from: { name: 'agent-registrar', address: from },
        to: { name: '', address: mail.to },
        envelope: { from, to: [mail.to] },
        subject: mail.subject,
        text: mail.text,
        ...(mail.html === undefined ? {} : { html: mail.html }),
        date: mail.created_at,
        messageId: `<${mail.id}@${domain}>`,
        // RFC 3834: no vacation notice may answer it.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(parts.deadline_ms ?? deadline_ms),
      })
      note({ kind: 'sent', trouble: null })
      return { kind: 'sent', message: response }
    } catch (error) {
      const read = readSmtpError(error)
      const kind = kindOf(read)
      note({ kind, trouble: errorCodeOf(read) })
      return { kind, message: error instanceof Error ? error.message : String(error) }
    }
  }

  return {
    send,
    health: () => health,
    close: async () => {
      const pool = await opening
      pool?.close({ force: true })
    },
  }
}

async function openPool(url: string) {
  // The library is loaded with the first mail, because that takes longer than the rest of the
  // adapter.
  const { createTransport } = await import('nodemailer')
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const auth =
    username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }
  return createTransport({
    pool: true,
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // A password is sent unencrypted only to this machine.
    requireTLS: !secure && username !== '' && !isLoopback(host),
    ...auth,
    maxConnections: 4,
    // The mailer has no retries of its own: the outbox tries a mail of unknown fate again, and
    // counts.
    maxRequeues: 0,
    idleTimeout: idle_ms,
    connectionTimeout: connect_timeout_ms,
    greetingTimeout: connect_timeout_ms,
    dnsTimeout: connect_timeout_ms,
    socketTimeout: silence_timeout_ms,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
