// Limits against guessing: buckets of failures that all nodes share, and that run dry by
// themselves. What a bucket refuses does not fill it, so nobody is shut out for good.
import { hash } from 'node:crypto'
import type { Sql } from '../../db/database.ts'
import { networksOf, siteOf } from '../../kit/net/ip.ts'
import { giveBackUnits, takeUnits } from './passwords/passwords.sql.ts'

/** `most` failures at once, then one more every `dry_s` seconds. */
export type Bucket = { key: string; most: number; dry_s: number }

/** What is counted of one try. */
export type Counted = {
  buckets: readonly Bucket[]
  /**
   * Of everybody who is not known: when `all` is full, nobody is refused for it, but each network
   * has the few tries of `slow`. Null: who tries is known.
   */
  crowd: { all: Bucket; slow: Bucket } | null
}
type Tried = { email: string; address: string }

/** A network has more tries than an address of it, and far fewer than all its addresses. */
const times = [1, 2, 4, 16] as const

/**
 * The buckets of one try to log in; `forgiven`: what the right password empties. Where an account
 * is known to be used, neither what fails elsewhere counts, nor what others fail at there. No
 * single network fills the bucket of an account, so it shuts nobody out of other places.
 */
export function logInBuckets(
  tried: Tried & { is_known: boolean },
): Counted & { forgiven: Bucket[] } {
  const { address } = tried
  const account = digestOf(tried.email)
  const networks = networksOf(address)
  const pairs = networks
    .filter(({ step }) => step <= 2)
    .map(({ name, step }) => ({
      key: `pair:${account}:${name}`,
      most: 10 + 5 * step,
      dry_s: 90 + 45 * step,
    }))
  if (tried.is_known) {
    const forgiven = pairs.slice(0, 1)
    const ofPlace = { key: `known:${address}`, most: 1_000, dry_s: 3.6 }
    return { forgiven, buckets: [...forgiven, ofPlace], crowd: null }
  }
  const ofAccount = { key: `account:${account}`, most: 60, dry_s: 120 }
  const ofNetworks = perNetwork(address, { key: 'address', most: 100, dry_s: 36 })
  return {
    forgiven: pairs,
    buckets: [...pairs, ofAccount, ...ofNetworks],
    crowd: {
      all: { key: 'everybody', most: 10_000, dry_s: 0.2 },
      slow: { key: `slow:${siteOf(address)}`, most: 3, dry_s: 20 },
    },
  }
}

/** What a mail to the owner of the account forgives: all that was failed at from here. */
export function forgivenByMail({ email, address }: Tried): Bucket[] {
  const { forgiven, buckets } = logInBuckets({ email, address, is_known: false })
  const known = logInBuckets({ email, address, is_known: true }).forgiven
  const keys = [`account:${digestOf(email)}`, codeKey(email)]
  const codes = codeBuckets({ email, address, is_known: false })
  return [...forgiven, ...known, ...[...buckets, ...codes].filter(({ key }) => keys.includes(key))]
}

/** Changes of a password by its owner, right or wrong: each costs up to two hashes and a mail. */
export function changeBuckets(customer_id: string): Bucket[] {
  return [{ key: `change:${customer_id}`, most: 10, dry_s: 1_800 }]
}

/**
 * Asking for a mail: one a minute for an account from one address. How many an account gets is no
 * reason to refuse, as that would tell strangers of each other: `mailBuckets` bounds it.
 */
export function resetBuckets({ email, address }: Tried): Counted {
  const resend = { key: `resend:${digestOf(email)}:${address}`, most: 1, dry_s: resend_s }
  return {
    buckets: [resend, ...perNetwork(address, { key: 'resets', most: 30, dry_s: 120 })],
    crowd: {
      all: { key: 'resets', most: 5_000, dry_s: 1 },
      slow: { key: `slow-resets:${siteOf(address)}`, most: 1, dry_s: 60 },
    },
  }
}
export const resend_s = 60

type Asked = { customer_id: string; address: string; is_known: boolean }

/**
 * Mails that others make us send to one account: ten at once, then two an hour, and of one network
 * three and one. Where the account is known to be used, its owner still gets some.
 */
export function mailBuckets({ customer_id, address, is_known }: Asked): Bucket[] {
  const ofAccount = `mail:${customer_id}`
  if (is_known) return [{ key: `${ofAccount}:${address}`, most: 6, dry_s: 1_800 }]
  return [
    { key: ofAccount, most: 10, dry_s: 1_800 },
    { key: `${ofAccount}:${siteOf(address)}`, most: 3, dry_s: 3_600 },
  ]
}

/** Mails to set up a password, which operators send: ten at once, then twelve a day. */
export function setupBuckets(customer_id: string): Bucket[] {
  return [{ key: `setup:${customer_id}`, most: 10, dry_s: 7_200 }]
}

/**
 * Wrong codes: five count for one request; more than twenty a day for one account, or a thousand
 * for all together, and codes rest, but not where the account is known to be used. The link in the
 * mail is good all the same.
 */
export function codeBuckets({ email, address, is_known }: Tried & { is_known: boolean }): Bucket[] {
  const account = codeKey(email)
  if (is_known) return [{ key: `${account}:${address}`, most: 10, dry_s: 8_640 }]
  return [
    { key: account, most: 20, dry_s: 4_320 },
    { key: 'codes', most: 500, dry_s: 86.4 },
    ...perNetwork(address, { key: 'codes', most: 20, dry_s: 180 }),
  ]
}

/** What was taken, to be given back where it turns out to be no failure. */
export type Admitted = { wait_s: number; taken: readonly Bucket[] }

/** Counts a try; `wait_s` above 0: it is one too many, and nothing was counted. */
export async function admit(sql: Sql, { buckets, crowd }: Counted): Promise<Admitted> {
  const wait_s = await take(sql, buckets)
  if (wait_s > 0) return { wait_s, taken: [] }
  if (!crowd) return { wait_s: 0, taken: buckets }
  if ((await take(sql, [crowd.all])) === 0) return { wait_s: 0, taken: [...buckets, crowd.all] }
  const slow_s = await take(sql, [crowd.slow])
  if (slow_s === 0) return { wait_s: 0, taken: [...buckets, crowd.slow] }
  await giveBack(sql, buckets)
  return { wait_s: slow_s, taken: [] }
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

function codeKey(email: string): string {
  return `code:${digestOf(email)}`
}

/** The same limit for each network of an address, wider with it. */
function perNetwork(address: string, { key, most, dry_s }: Bucket): Bucket[] {
  return networksOf(address).map(({ name, step }) => ({
    key: `${key}:${name}`,
    most: most * times[step],
    dry_s: dry_s / times[step],
  }))
}

/** An address of mail is not written into a table that nobody cleans at once. */
function digestOf(email: string): string {
  return hash('sha256', email.toLowerCase(), 'base64url')
}
