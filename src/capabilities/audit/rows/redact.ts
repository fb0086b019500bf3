// Redaction: facts as plain JSON that PostgreSQL can store, without secrets, as rows are permanent.
import type { Json } from '../../../db/statement.ts'

const redacted = '[redacted]'

// The last word of a key decides: new_password, access_token, registry_auth_code. api_key_id and
// error_code stay.
const secretKey =
  /^(.*_)?(auth_?(code|info)|pass(word|wd|phrase)?|pw|secret|token|credentials?|otp|ticket)$/
const secretName = /^(.*_)?((api|private|signing|access)_?key|authorization|cookie)$|^code$/
// Our own bearer secrets wherever they stand in a text, and whatever follows "Bearer".
const secretText = /\b(ar_live|ar_test|op|ses|pwt)_[0-9A-Za-z]{20,}|\bBearer\s+[\x21-\x7e]+/gi
const secretQuery = /([?&](?:token|code|ticket)=)[^&\s]+/gi

const deepest = 8
const longestText = 4_000
const mostItems = 500

function isSecret(key: string): boolean {
  const snake = key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
  return secretKey.test(snake) || secretName.test(snake)
}

/** Text without secrets, U+0000 and lone surrogates, at most 4000 characters. */
export function plainText(text: string): string {
  const open = text.replaceAll(secretText, redacted).replaceAll(secretQuery, `$1${redacted}`)
  const kept = open.length > longestText ? `${open.slice(0, longestText)}...` : open
  return kept.toWellFormed().replaceAll('\u0000', '\ufffd')
}

function plain(value: unknown, depth: number): Json | undefined {
  switch (typeof value) {
    case 'string':
      return plainText(value)
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'bigint':
      return String(value)
    case 'object':
      break
    default:
      return undefined
  }
  if (value === null) return null
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (depth >= deepest) return '[too deep]'
  if (Array.isArray(value))
    return value.slice(0, mostItems).map((one) => plain(one, depth + 1) ?? null)
  // Octets are hashes or secrets, and unreadable here.
  if (ArrayBuffer.isView(value)) return redacted
  return plainObject(value, depth)
}

function plainObject(value: object, depth: number): { [key: string]: Json } {
  const entries: [string, Json][] = []
  for (const [key, one] of Object.entries(value).slice(0, mostItems)) {
    const kept = isSecret(key) && one !== null ? redacted : plain(one, depth + 1)
    if (kept !== undefined) entries.push([plainText(key), kept])
  }
  return Object.fromEntries(entries)
}

/** Metadata as it may be stored: values of secret keys are replaced, bigints and dates are text. */
export function plainMetadata(metadata: Record<string, unknown>): { [key: string]: Json } {
  return plainObject(metadata, 0)
}
