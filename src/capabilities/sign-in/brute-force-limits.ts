// Brute-force limits: the leaky buckets that an attempt fills, by account, network and in total
// (decision 22).

import { hash } from 'node:crypto'
import { networksOf, siteOf } from '../../kit/net/ip.ts'
import type { CustomerId } from '../../kit/random.ts'
import type { Bucket, Counted } from '../../rate-limits/leaky-buckets.ts'

type Tried = { email: string; address: string }

/** A network has more attempts than one address of it, and far fewer than all its addresses. */
const times = [1, 2, 4, 16] as const

/**
 * The buckets of one log-in attempt; `forgiven` are those that the right password empties. At a
 * known place of an account, failures elsewhere do not count, and neither do those of other
 * accounts there. No single network fills the bucket of an account, so it cannot lock the account
 * out of other places.
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
      drain_s: 90 + 45 * step,
    }))
  if (tried.is_known) {
    const forgiven = pairs.slice(0, 1)
    const ofPlace = { key: `known:${address}`, most: 1_000, drain_s: 3.6 }
    return { forgiven, buckets: [...forgiven, ofPlace], overflow: null }
  }
  const ofAccount = { key: `account:${account}`, most: 60, drain_s: 120 }
  const ofNetworks = perNetwork(address, { key: 'address', most: 100, drain_s: 36 })
  return {
    forgiven: pairs,
    buckets: [...pairs, ofAccount, ...ofNetworks],
    overflow: {
      all: { key: 'everybody', most: 10_000, drain_s: 0.2 },
      slow: { key: `slow:${siteOf(address)}`, most: 3, drain_s: 20 },
    },
  }
}

/** The buckets that a password reset by mail empties: all failures from this address. */
export function bucketsEmptiedByReset({ email, address }: Tried): Bucket[] {
  const { forgiven, buckets } = logInBuckets({ email, address, is_known: false })
  const known = logInBuckets({ email, address, is_known: true }).forgiven
  const keys = [`account:${digestOf(email)}`, codeKey(email)]
  const codes = codeBuckets({ email, address, is_known: false })
  return [...forgiven, ...known, ...[...buckets, ...codes].filter(({ key }) => keys.includes(key))]
}

/**
 * Limits password changes by the owner, failed or not, since each costs up to two hashes and a
 * mail.
 */
export function changeBuckets(customer_id: CustomerId): Bucket[] {
  return [{ key: `change:${customer_id}`, most: 10, drain_s: 1_800 }]
}

/**
 * Limits requests for a reset mail: one a minute for an account from one address. The number of
 * mails to an account is no reason to refuse, since that would disclose other requests;
 * `mailBuckets` bounds it.
 */
export function resetBuckets(tried: Tried): Counted {
  return mailRequestBuckets('resets', { tried, pair: 'resend' })
}

/**
 * Limits requests for the mail of a sign-up, and for another one, as for resets but counted apart
 * from them.
 */
export function signUpBuckets(tried: Tried): Counted {
  return mailRequestBuckets('sign-ups', { tried, pair: 'sign-up' })
}

function mailRequestBuckets(all: string, { tried, pair }: { tried: Tried; pair: string }): Counted {
  const { email, address } = tried
  const resend = { key: `${pair}:${digestOf(email)}:${address}`, most: 1, drain_s: resend_s }
  return {
    buckets: [resend, ...perNetwork(address, { key: all, most: 30, drain_s: 120 })],
    overflow: {
      all: { key: all, most: 5_000, drain_s: 1 },
      slow: { key: `slow-${all}:${siteOf(address)}`, most: 1, drain_s: 60 },
    },
  }
}
export const resend_s = 60

/** Log-ins with an operator key: twenty at once for an address, then one a minute. */
export function operatorLogInBuckets(address: string): Counted {
  return {
    buckets: perNetwork(address, { key: 'operator-log-ins', most: 20, drain_s: 60 }),
    overflow: {
      all: { key: 'operator-log-ins', most: 1_000, drain_s: 2 },
      slow: { key: `slow-operator-log-ins:${siteOf(address)}`, most: 3, drain_s: 20 },
    },
  }
}

type Asked = { customer_id: CustomerId; address: string; is_known: boolean }

/**
 * Reset mails to one account: ten at once, then two an hour; three and one of them for one network.
 * At a known place of the account, its owner still gets some.
 */
export function mailBuckets({ customer_id, address, is_known }: Asked): Bucket[] {
  const ofAccount = `mail:${customer_id}`
  if (is_known) return [{ key: `${ofAccount}:${address}`, most: 6, drain_s: 1_800 }]
  return [
    { key: ofAccount, most: 10, drain_s: 1_800 },
    { key: `${ofAccount}:${siteOf(address)}`, most: 3, drain_s: 3_600 },
  ]
}

/**
 * Sign-up mails to one address, whether or not an account has it: as many as reset mails, and
 * counted apart, so that sign-ups by others do not keep an owner from a reset.
 */
export function signUpMailBuckets({ email, address }: Tried): Bucket[] {
  const ofEmail = `sign-up-mail:${digestOf(email)}`
  return [
    { key: ofEmail, most: 10, drain_s: 1_800 },
    { key: `${ofEmail}:${siteOf(address)}`, most: 3, drain_s: 3_600 },
  ]
}

/** Mails to verify one new address, of whichever account: five at once, then six a day. */
export function emailChangeBuckets(email: string): Bucket[] {
  return [{ key: `email-change:${digestOf(email)}`, most: 5, drain_s: 14_400 }]
}

/** Set-up mails, which operators send: ten at once, then twelve a day. */
export function setupBuckets(customer_id: CustomerId): Bucket[] {
  return [{ key: `setup:${customer_id}`, most: 10, drain_s: 7_200 }]
}

/**
 * Wrong codes: five for one request, twenty a day for one account, a thousand for all together.
 * Beyond that codes are refused, except at a known place of the account. The link in the mail stays
 * valid.
 */
export function codeBuckets({ email, address, is_known }: Tried & { is_known: boolean }): Bucket[] {
  const account = codeKey(email)
  if (is_known) return [{ key: `${account}:${address}`, most: 10, drain_s: 8_640 }]
  return [
    { key: account, most: 20, drain_s: 4_320 },
    { key: 'codes', most: 500, drain_s: 86.4 },
    ...perNetwork(address, { key: 'codes', most: 20, drain_s: 180 }),
  ]
}

/** Wrong codes of sign-ups: limits as for resets away from known places, counted apart. */
export function signUpCodeBuckets(tried: Tried): Bucket[] {
  return codeBucketsOf('sign-up', tried)
}

/** Limits wrong codes that would link an identity to an account, counted apart. */
export function linkCodeBuckets(tried: Tried): Bucket[] {
  return codeBucketsOf('link', tried)
}

/** Mails with such a code: one a minute for an account, and as many as reset mails, apart. */
export function linkMailBuckets(asked: { customer_id: CustomerId; address: string }): Bucket[] {
  const counted = mailBuckets({ ...asked, is_known: false })
  const apart = counted.map((bucket) => ({ ...bucket, key: `link-${bucket.key}` }))
  return [{ key: `link-resend:${asked.customer_id}`, most: 1, drain_s: resend_s }, ...apart]
}

/**
 * Starts of single sign-on: each asks a provider and stores a row for an anonymous caller. Sixty at
 * once for an address, then six a minute; for all together ten a second.
 */
export function ssoStartBuckets(address: string): Counted {
  return {
    buckets: perNetwork(address, { key: 'sso-starts', most: 60, drain_s: 10 }),
    overflow: {
      all: { key: 'sso-starts', most: 5_000, drain_s: 0.1 },
      slow: { key: `slow-sso-starts:${siteOf(address)}`, most: 3, drain_s: 20 },
    },
  }
}

function codeBucketsOf(kind: string, { email, address }: Tried): Bucket[] {
  return [
    { key: `${kind}-code:${digestOf(email)}`, most: 20, drain_s: 4_320 },
    { key: `${kind}-codes`, most: 500, drain_s: 86.4 },
    ...perNetwork(address, { key: `${kind}-codes`, most: 20, drain_s: 180 }),
  ]
}

function codeKey(email: string): string {
  return `code:${digestOf(email)}`
}

/** The same limit for each network around an address, larger for a wider network. */
function perNetwork(address: string, { key, most, drain_s }: Bucket): Bucket[] {
  return networksOf(address).map(({ name, step }) => ({
    key: `${key}:${name}`,
    most: most * times[step],
    drain_s: drain_s / times[step],
  }))
}

/** Email addresses are stored as digests, since the rows outlive the request. */
function digestOf(email: string): string {
  return hash('sha256', email.toLowerCase(), 'base64url')
}
