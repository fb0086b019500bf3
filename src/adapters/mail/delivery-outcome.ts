// The outcome of a mail by its SMTP error, as a pure function.
import type { Posted } from './port.ts'

/** The part of a nodemailer error that is read. */
type SmtpError = {
  code: string | null
  /** The server's three digits (RFC 5321 section 4.2). */
  response_code: number | null
  /** The command in progress: CONN, AUTH ..., MAIL FROM, RCPT TO, DATA, API. */
  command: string | null
  /** ECONNREFUSED and the like, if a socket failed. */
  system_code: string | null
}

const breaks = new Set(['ECONNRESET', 'EPIPE'])
const unreached = new Set(['CONNECTION_TIMEOUT', 'GREETING_TIMEOUT'])

/** The fields that exist, of an error of any kind. */
export function readSmtpError(error: unknown): SmtpError & { timeout: string | null } {
  const fields: Record<string, unknown> = Object(error)
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  return {
    code: text(fields.code),
    response_code: typeof fields.responseCode === 'number' ? fields.responseCode : null,
    command: text(fields.command),
    system_code: text(fields.originalCode),
    timeout: text(fields.timeoutType),
  }
}

/**
 * Only a reply about this recipient or this content is final: a server that refuses our log-in or
 * our sender would refuse every mail, and its operator can fix that.
 */
export function kindOf(
  error: SmtpError & { timeout: string | null },
): Exclude<Posted['kind'], 'sent'> {
  const { code, command, system_code, timeout } = error
  const reply = error.response_code ?? 0
  if (code === 'EENVELOPE' && command === 'API') return 'refused'
  // 421: the server is going down. 530, 535, 538: it does not know us (RFC 4954).
  if ([421, 530, 535, 538].includes(reply)) return 'away'
  if (command === 'RCPT TO' || command === 'DATA') {
    // 503: the session was out of step, which does not concern the mail.
    if (reply >= 500 && reply !== 503) return 'refused'
    if (reply > 0) return 'delayed'
  }
  if (code === 'ECONNECTION' || code === 'EABORT') return 'unknown'
  if (code === 'ESOCKET' && breaks.has(system_code ?? '')) return 'unknown'
  if (code === 'ETIMEDOUT' && !unreached.has(timeout ?? '')) return 'unknown'
  return 'away'
}

/** Only codes are kept, because a server's sentence may name addresses and users. */
export function errorCodeOf({ code, response_code, system_code }: SmtpError): string {
  return [system_code ?? code ?? 'error', response_code].filter((one) => one !== null).join(' ')
}
