// Limits against guessing: buckets of failures that all nodes share, and that run dry by
// themselves. What a bucket refuses does not fill it, so nobody is shut out for good.
import { hash } from 'node:crypto'
import type { Sql } from '../../db/database.ts'
import { giveBackUnits, takeUnits } from './store.ts'

/** `most` failures at once, then one more every `dry_s` seconds. */
export type Bucket = { key: string; most: number; dry_s: number }

/**
 * The buckets of one try to log in. From a place that the account is usually used from, neither
 * what others fail at elsewhere nor what fails everywhere counts.
 */
export function logInBuckets(tried: { email: string; address: string; is_usual: boolean }): {
  pair: Bucket
  shared: Bucket[]
} {
  const account = digestOf(tried.email)
  const { address } = tried
  const pair = { key: `pair:${account}:${address}`, most: 10, dry_s: 90 }
  const ofAddress = { key: `address:${address}`, most: 100, dry_s: 36 }
  if (tried.is_usual) return { pair, shared: [ofAddress] }
  const ofAccount = { key: `account:${account}`, most: 30, dry_s: 120 }
  return { pair, shared: [ofAddress, ofAccount, { key: 'everybody', most: 10_000, dry_s: 0.2 }] }
}

/** Asking for a mail: one a minute from one address, a few an hour to one address of mail. */
export function resetBuckets({ email, address }: { email: string; address: string }): Bucket[] {
  const account = digestOf(email)
  return [
    { key: `resend:${account}:${address}`, most: 1, dry_s: resend_s },
    { key: `reset:${account}`, most: 6, dry_s: 600 },
    { key: `resets:${address}`, most: 30, dry_s: 120 },
    { key: 'resets', most: 5_000, dry_s: 1 },
  ]
}
export const resend_s = 60

/**
 * Wrong codes: five count for one request; more than twenty a day for one account, and codes rest.
 * The link in the mail is good all the same.
 */
export function codeBuckets({ email, address }: { email: string; address: string }): Bucket[] {
  return [
    { key: `code:${digestOf(email)}`, most: 20, dry_s: 4_320 },
    { key: `codes:${address}`, most: 50, dry_s: 72 },
  ]
}

/** Puts one unit into each, or into none: then the seconds until it may be tried again, else 0. */
export async function take(sql: Sql, buckets: readonly Bucket[]): Promise<number> {
  const { wait_s } = await sql.one(takeUnits, [
    buckets.map(({ key }) => key),
    buckets.map(({ most }) => most),
    buckets.map(({ dry_s }) => dry_s),
  ])
  return wait_s
}

/** What was taken turned out to be no failure; those of `emptied` are forgiven wholly. */
export async function giveBack(
  sql: Sql,
  buckets: readonly Bucket[],
  emptied: readonly Bucket[] = [],
): Promise<void> {
  await sql.one(giveBackUnits, [buckets.map(({ key }) => key), emptied.map(({ key }) => key)])
}

/** An address of mail is not written into a table that nobody cleans at once. */
function digestOf(email: string): string {
  return hash('sha256', email.toLowerCase(), 'base64url')
}
