// Sender of web push (RFC 8030): each message is encrypted for its browser, has a token that names
// the sending service (VAPID, RFC 8292), and is posted through the guard for all URLs of clients.
import { createPublicKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Clock } from '../../kit/clock.ts'
import { clientNetwork } from '../outbound/client-url.ts'
import { guardedPost, PostFailed, retryAfterMs } from '../outbound/guarded-post.ts'
import { encryptPush } from './encryption.ts'
import type { Pushed, PushMessage, PushSubscription, WebPush } from './port.ts'

const usual_limit_ms = 10_000
/** At most a day is allowed (RFC 8292 section 2). */
const token_s = 12 * 3_600
const longest_retry_after_s = 86_400

type PushSender = {
  private_key: KeyObject
  subject: string
  /** This is set only by a setting that production refuses. */
  allows_loopback: boolean
}

export function openWebPush(
  { private_key, subject, allows_loopback }: PushSender,
  { clock, limit_ms = usual_limit_ms }: { clock: Clock; limit_ms?: number },
): WebPush {
  const public_key = publicKeyOf(private_key)
  const never = new AbortController().signal

  async function authorization(endpoint: string): Promise<string> {
    const token = await new SignJWT({ sub: subject })
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
      .setAudience(new URL(endpoint).origin)
      .setExpirationTime(Math.floor(clock.now().getTime() / 1_000) + token_s)
      .sign(private_key)
    return `vapid t=${token}, k=${public_key}`
  }

  async function send(
    { endpoint, ...keys }: PushSubscription,
    { text, ttl_s, topic }: PushMessage,
  ): Promise<Pushed> {
    const headers = {
      authorization: await authorization(endpoint),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(Math.max(0, Math.floor(ttl_s))),
      topic,
      urgency: 'normal',
    }
    try {
      const answer = await guardedPost(new URL(endpoint), {
        network: clientNetwork(endpoint, allows_loopback),
        ...{ headers, body: encryptPush(text, keys), limit_ms, signal: never },
      })
      return outcomeOf(answer, clock.now())
    } catch (error) {
      if (!(error instanceof PostFailed)) throw error
      return { kind: 'later', reason: error.message, retry_after_ms: 0 }
    }
  }
  return { public_key, send }
}

type Answer = { status: number; retry_after: string | undefined }

/** RFC 8030 sections 5 and 7.3: any 2xx is an acceptance, and 404 and 410 end the subscription. */
function outcomeOf({ status, retry_after }: Answer, now: Date): Pushed {
  if (status >= 200 && status < 300) return { kind: 'sent' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  const reason = `It answered ${status}.`
  if (status < 500 && status !== 429 && status !== 408) return { kind: 'refused', reason }
  const retry_after_ms = retryAfterMs(retry_after, { now, longest_s: longest_retry_after_s })
  return { kind: 'later', reason, retry_after_ms }
}

/** The uncompressed point in base64url. */
function publicKeyOf(key: KeyObject): string {
  const { x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' })
  const octets = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  return Buffer.concat(octets).toString('base64url')
}
