// Random values that cannot be predicted: identifiers, bearer secrets and authorization
// information.
import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { systemClock } from './clock.ts'

// Identifiers: UUIDv7 (RFC 9562, ordered by time) in Crockford base32, with a prefix that names the
// noun.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** The 16 octets of a UUIDv7 for a moment in milliseconds. */
function uuid7(now_ms: number): Buffer {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now_ms, 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return bytes
}

/** Writes 128 bits as 26 characters, which sort as the octets do. */
function base32(bytes: Buffer): string {
  let value = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (let i = 0; i < 26; i += 1) {
    text = alphabet.charAt(Number(value & 31n)) + text
    value >>= 5n
  }
  return text
}

declare const noun: unique symbol

/**
 * A value of one meaning, which the compiler refuses where another meaning is expected. A plain
 * value (a literal, text from outside) is accepted anywhere, so that only a swap is an error.
 */
type Of<N extends string, T> = T & { readonly [noun]?: N }

export type CustomerId = Of<'customer', string>
export type OrderId = Of<'order', string>
export type ApprovalId = Of<'approval', string>
export type CheckoutId = Of<'checkout', string>
export type PaymentId = Of<'payment', string>
export type GrantId = Of<'grant', string>
export type ApiKeyId = Of<'api key', bigint>
export type TransferId = Of<'transfer', bigint>
export type InvoiceId = Of<'invoice', bigint>
/** The name of a domain: in any form in a request, then in lower-case A-labels. */
export type DomainName = Of<'domain', string>

/** The identifiers by their prefixes. */
type Identifiers = {
  cus: CustomerId
  ord: OrderId
  apr: ApprovalId
  chk: CheckoutId
  ctp: CheckoutId
  grant: GrantId
}
export type IdentifierOf<P extends string> = P extends keyof Identifiers ? Identifiers[P] : string

/**
 * A new identifier, e.g. `newId('cus')` gives `cus_` and 26 characters. Its time orders it roughly
 * and chooses the partition of a mail (decision 37), so this machine's will do.
 */
export function newId<P extends string>(
  prefix: P,
  now_ms = systemClock.now().getTime(),
): IdentifierOf<P> {
  return `${prefix}_${base32(uuid7(now_ms))}` as IdentifierOf<P>
}

/** The form of an identifier with this prefix; schemas use it through `identifier` in schema.ts. */
export function idPattern(prefix: string): string {
  return `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`
}

// Bearer secrets have a checksum of their own, are stored as SHA-256 and compared in constant time.
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// 34 characters are 202 bits. The 6 that a key's prefix shows leave 166, which are enough to store
// a plain SHA-256.
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
 * Whether the text has the form and the checksum of a secret with this prefix, so that typos are
 * refused without a query.
 */
export function isWellFormedSecret(prefix: string, text: string): boolean {
  if (text.length !== prefix.length + randomLength + checksumLength) return false
  if (!text.startsWith(prefix) || !/^[0-9A-Za-z_]+$/.test(text)) return false
  const body = text.slice(0, -checksumLength)
  return checksum(body) === text.slice(-checksumLength)
}

/**
 * The SHA-256 of a secret. It is enough for secrets with this entropy, and fast enough for every
 * request.
 */
export function hashSecret(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** Compares two texts of any length in constant time. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(hashSecret(a), hashSecret(b))
}

// The length of authorization information for domains and contacts: 24 characters of base62 are 142
// bits, less the few texts that lack a class, where RFC 9154 section 4 asks for 128.
const auth_info_length = 24
const auth_info_classes = [/[a-z]/, /[A-Z]/, /[0-9]/]

export type AuthInfoForm =
  /** The text has "-" and "!", for registries that demand more than letters and digits. */
  | 'with_symbols'
  /** The text has letters and digits, for a registry that refused one with symbols. */
  | 'alphanumeric'

/**
 * Makes authorization information, always with a lower-case letter, an upper-case letter and a
 * digit. Texts that lack one are drawn again as a whole, so that all others stay equally likely.
 */
export function newAuthInfo(form: AuthInfoForm = 'with_symbols'): string {
  let text = randomBase62(auth_info_length)
  while (!auth_info_classes.every((wanted) => wanted.test(text)))
    text = randomBase62(auth_info_length)
  return form === 'alphanumeric' ? text : `${text.slice(0, -2)}-${text.slice(-2)}!`
}

/** The SHA-256 of authorization information, which is all that is stored of it. */
export function fingerprintOf(authInfo: string): string {
  return hashSecret(authInfo).toString('hex')
}
