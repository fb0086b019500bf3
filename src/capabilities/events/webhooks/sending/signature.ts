// Signatures of webhooks by the Standard Webhooks specification 1.0.0: HMAC-SHA256 (v1) over the
// id, the time of the attempt and the body, each with a "." after it but the last.
import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'
const secretBytes = 32

/** A new secret as its owner gets it: "whsec_" and base64. */
export function newSigningSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64')
}

type SignedMessage = { id: string; sent_at: Date; body: string }

/** The header fields of one attempt, with a signature by each of the secrets. */
export function signatureHeaders(
  secrets: readonly string[],
  { id, sent_at, body }: SignedMessage,
): Record<string, string> {
  const timestamp = String(Math.floor(sent_at.getTime() / 1_000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
    return `v1,${mac}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
