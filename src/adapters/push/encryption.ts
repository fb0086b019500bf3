// Message encryption for web push (RFC 8291): a key agreed with the browser's by ECDH on P-256, and
// one record of aes128gcm (RFC 8188).
import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'

/** A record of 4096 bytes without header, tag and delimiter, which each push service accepts. */
const most_bytes = 3_993
/** Shorter messages are padded to this length, so that the push service does not see theirs. */
const padded_bytes = 1_024
const record_bytes = 4_096
const delimiter = Buffer.from([2])

type Keys = { p256dh: string; auth: string }
/** Fresh for each message, except in the test of RFC 8291 section 5. */
type Ephemeral = { keys: ECDH; salt: Buffer; least_bytes: number }

/** A new key pair and salt. */
function ephemeral(): Ephemeral {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  return { keys, salt: randomBytes(16), least_bytes: padded_bytes }
}

/**
 * The body of a push message. Throws a RangeError for a text that is too long, and an Error for a
 * `p256dh` that is not a point on the curve.
 */
export function encryptPush(
  text: string,
  { p256dh, auth }: Keys,
  { keys, salt, least_bytes }: Ephemeral = ephemeral(),
): Buffer {
  const plain = Buffer.from(text)
  if (plain.length > most_bytes) throw new RangeError('The text of a push message is too long')
  const theirs = Buffer.from(p256dh, 'base64url')
  const ours = keys.getPublicKey()
  const secret = keys.computeSecret(theirs)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours])
  const input = derive(secret, { salt: Buffer.from(auth, 'base64url'), info, length: 32 })
  const expand = (name: string, length: number) =>
    derive(input, { salt, info: Buffer.from(`Content-Encoding: ${name}\0`), length })
  const cipher = createCipheriv('aes-128-gcm', expand('aes128gcm', 16), expand('nonce', 12))
  const padding = Buffer.alloc(Math.max(0, least_bytes - plain.length))
  const header = Buffer.alloc(5)
  header.writeUInt32BE(record_bytes, 0)
  header.writeUInt8(ours.length, 4)
  return Buffer.concat([
    ...[salt, header, ours],
    ...[cipher.update(Buffer.concat([plain, delimiter, padding])), cipher.final()],
    cipher.getAuthTag(),
  ])
}

type Derivation = { salt: Buffer; info: Buffer; length: number }

function derive(key: Buffer, { salt, info, length }: Derivation): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, length))
}

/** Whether these are keys of a browser: a point on P-256, and 16 bytes. */
export function arePushKeys({ p256dh, auth }: Keys): boolean {
  const [point, secret] = [p256dh, auth].map((text) => Buffer.from(text, 'base64url'))
  if (point?.length !== 65 || point[0] !== 4 || secret?.length !== 16) return false
  const { keys } = ephemeral()
  try {
    keys.computeSecret(point)
    return true
  } catch {
    // The point is not on the curve.
    return false
  }
}
