// Identifiers: UUIDv7 (RFC 9562, ordered by time) in Crockford base32, with a prefix that names the
// noun.

import { randomBytes } from 'node:crypto'
import { systemClock } from './clock.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** 16 octets of a UUIDv7 for a moment in milliseconds. */
function uuid7(now_ms: number): Buffer {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now_ms, 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return bytes
}

/** 128 bits as 26 characters; the order of the octets is kept. */
function base32(bytes: Buffer): string {
  let value = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (let i = 0; i < 26; i += 1) {
    text = alphabet.charAt(Number(value & 31n)) + text
    value >>= 5n
  }
  return text
}

/**
 * A new identifier, e.g. `newId('cus')` gives `cus_` and 26 characters. Its time orders it roughly
 * and is read nowhere, so this machine's will do.
 */
export function newId(prefix: string, now_ms = systemClock.now().getTime()): string {
  return `${prefix}_${base32(uuid7(now_ms))}`
}

/** The form of an identifier with this prefix, for schemas. */
export function idPattern(prefix: string): string {
  return `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`
}
