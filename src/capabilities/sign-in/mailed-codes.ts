// Mailed codes of six digits: they can be guessed, so an attempt is counted before it is checked,
// for its request and in leaky buckets. Resets, sign-ups and linked identities use them.
import { randomInt, timingSafeEqual } from 'node:crypto'
import Type from 'typebox'
import type { App } from '../../app.ts'
import { InvalidInput } from '../../kit/fault.ts'
import { patterned } from '../../kit/schema.ts'
import { type Bucket, giveBack, take } from '../../rate-limits/leaky-buckets.ts'
import { tooManyTries } from './faults.ts'

/** A code as mails have it. */
export const mailedCode = patterned('^[0-9]{6}$', 'the six digits of the mail', {
  description: 'The six digits of the mail.',
})

/**
 * The input fields of an operation that a mailed code or link confirms, beside the id of its
 * request.
 */
export const codeOrTokenFields = {
  code: Type.Optional(mailedCode),
  token: Type.Optional(
    Type.String({
      minLength: 20,
      maxLength: 512,
      description: 'The token of the mailed link, in place of the id and the code.',
    }),
  ),
}

type IdAndCode = { id: string; code: string }
type Given = { id: string | undefined; code?: string; token?: string }

/**
 * The code or the token of the input. Throws InvalidInput unless exactly one of the two is given,
 * the code with the id of its request, whose field is `id_field`.
 */
export function codeOrToken(
  { id, code, token }: Given,
  id_field: string,
): { token: string } | IdAndCode {
  if (token !== undefined && id === undefined && code === undefined) return { token }
  if (token === undefined && id !== undefined && code !== undefined) return { id, code }
  const msg = `Either "token", or both "${id_field}" and "code" are needed`
  throw new InvalidInput([{ path: [], msg, type: 'value_error' }])
}

/** A uniformly distributed code. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** The stored form of a code: an HMAC bound to its request, with the encryption key. */
export function macOf({ encryption }: Pick<App, 'encryption'>, shown: IdAndCode): Buffer {
  return Buffer.from(encryption.hmac(boundCode(shown)), 'base64')
}

/** A code may have been mailed while a previous key was the current one. */
function macsOf({ encryption }: Pick<App, 'encryption'>, shown: IdAndCode): Buffer[] {
  return encryption.hmacs(boundCode(shown)).map((mac) => Buffer.from(mac, 'base64'))
}

function boundCode({ id, code }: IdAndCode): string {
  return `password code ${id} ${code}`
}

/** Compares in constant time for each key. It is also false if there is no code. */
function isCode(kept: Buffer | null, macs: readonly Buffer[]): boolean {
  const equal = macs.map((mac) => timingSafeEqual(kept ?? Buffer.alloc(mac.length), mac))
  return equal.includes(true) && kept !== null
}

type Attempt<T> = {
  /**
   * Counts the attempt. Undefined if there is no such request, it has expired, or it had too many
   * attempts.
   */
  count: () => Promise<T | undefined>
  /** An attempt that the buckets refuse, and the right code, are not counted. */
  uncount: () => Promise<number>
  bucketsOf: (request: T) => Bucket[]
}

/**
 * The request that the code belongs to, or undefined if there is none. A request without a code,
 * whose address has no account, costs the same. Throws tooManyTries.
 */
export async function requestOfCode<T extends { code_mac: Buffer | null }>(
  app: Pick<App, 'db' | 'encryption'>,
  shown: IdAndCode,
  { count, uncount, bucketsOf }: Attempt<T>,
): Promise<T | undefined> {
  const request = await count()
  const macs = macsOf(app, shown)
  if (!request) return undefined
  const buckets = bucketsOf(request)
  const wait_s = await take(app.db, buckets)
  if (wait_s > 0) {
    await uncount()
    throw tooManyTries({ retry_after_s: wait_s })
  }
  if (!isCode(request.code_mac, macs)) return undefined
  await giveBack(app.db, buckets)
  await uncount()
  return request
}
