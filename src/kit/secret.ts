// Bearer secrets: made with their own checksum, kept as SHA-256, compared in constant time.
import { hash, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// 34 characters are 202 bits; the 6 that a key's prefix shows leave 166, enough to be stored
// as a plain SHA-256.
const randomLength = 34
const checksumLength = 6
const shownLength = 6

/** `length` characters of base62, each from the system's random generator. */
export function randomBase62(length: number): string {
  let text = ''
  for (let i = 0; i < length; i += 1) text += base62.charAt(randomInt(62))
  return text
}

function checksum(text: string): string {
  let value = crc32(text)
  let out = ''
  for (let i = 0; i < checksumLength; i += 1) {
    out = base62.charAt(value % 62) + out
    value = Math.floor(value / 62)
  }
  return out
}

export type Secret = { value: string; hash: Buffer; shown_prefix: string }

/** A new secret `prefix + 34 random + 6 CRC32`; only `hash` and `shown_prefix` may be stored. */
export function newSecret(prefix: string): Secret {
  const body = prefix + randomBase62(randomLength)
  const value = body + checksum(body)
  return {
    value,
    hash: hashSecret(value),
    shown_prefix: body.slice(0, prefix.length + shownLength),
  }
}

/**
 * Whether the text has the form and the checksum of a secret with this prefix: refuses typos
 * without a query.
 */
export function isWellFormedSecret(prefix: string, text: string): boolean {
  if (text.length !== prefix.length + randomLength + checksumLength) return false
  if (!text.startsWith(prefix) || !/^[0-9A-Za-z_]+$/.test(text)) return false
  const body = text.slice(0, -checksumLength)
  return checksum(body) === text.slice(-checksumLength)
}

/** SHA-256: enough for secrets with this entropy, and fast enough for every request. */
export function hashSecret(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** Constant-time comparison of two texts of any length. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(hashSecret(a), hashSecret(b))
}
