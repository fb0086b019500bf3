// Stores limits, and compares those of a new key with its creator's: none may be wider.

import type { Call } from '../../app.ts'
import type { Sql } from '../../db/database.ts'
import type { ApiKeyId, CustomerId } from '../../kit/random.ts'
import { type LimitedBy, readCallerLimits } from './caller-limits.ts'
import { coversHost } from './host-patterns.ts'
import {
  insertLimits,
  type LimitsRow,
  limitsOfOne,
  lockLimits,
  recountLimits,
  updateLimits,
} from './limits.sql.ts'
import { isLimited, type StoredLimits } from './limits.ts'
import { coversNetwork, coversPattern } from './patterns.ts'

/** A key, or an app with all its consents; the other one is null. */
export type LimitTarget = {
  customer_id: CustomerId
  api_key_id: ApiKeyId | null
  oauth_client_id: string | null
}

export function keyTarget(customer_id: CustomerId, api_key_id: ApiKeyId): LimitTarget {
  return { customer_id, api_key_id, oauth_client_id: null }
}

export function appTarget(customer_id: CustomerId, oauth_client_id: string): LimitTarget {
  return { customer_id, api_key_id: null, oauth_client_id }
}

/** The limits of a key that is made in this transaction, which has spent nothing yet. */
export async function addLimits(
  sql: Sql,
  target: LimitTarget,
  { limits, now }: { limits: StoredLimits; now: Date },
): Promise<LimitsRow | undefined> {
  if (!isLimited(limits)) return undefined
  await sql.one(insertLimits, { ...target, ...limits, now })
  return readLimitsOf(sql, target)
}

/** Its own limits, or undefined if it has none. */
export function readLimitsOf(sql: Sql, target: LimitTarget): Promise<LimitsRow | undefined> {
  return sql.maybe(limitsOfOne, target)
}

/**
 * Replaces the limits of a key or an app. Purchases of the current window count, also those from
 * before there was a limit. Run it in a transaction; it waits for the customer's purchases, and
 * they wait for it.
 */
export async function replaceLimits(
  sql: Sql,
  target: LimitTarget,
  { limits, now }: { limits: StoredLimits; now: Date },
): Promise<LimitsRow | undefined> {
  await sql.one(lockLimits, { customer_id: target.customer_id })
  const old = await readLimitsOf(sql, target)
  if (!old && !isLimited(limits)) return undefined
  if (old) await sql.count(updateLimits, { ...limits, id: old.id, now })
  const { id } = old ?? (await sql.one(insertLimits, { ...target, ...limits, now }))
  await sql.one(recountLimits, { id })
  return readLimitsOf(sql, target)
}

/** The fields of `wanted` that are wider than a limit of the caller. */
export async function widerThanCaller(
  call: Pick<Call, 'sql'>,
  by: LimitedBy,
  wanted: StoredLimits,
): Promise<(keyof StoredLimits)[]> {
  const chain = await readCallerLimits(call.sql, by)
  return [...new Set(chain.flatMap((held) => widerThan(held, wanted)))]
}

/** Null in `wanted` is never wider: the chain limits the new key all the same. */
function widerThan(held: LimitsRow, wanted: StoredLimits): (keyof StoredLimits)[] {
  const wider: (keyof StoredLimits)[] = []
  const left = held.spend_amount === null ? null : held.spend_amount - held.spent
  if (wanted.spend_amount !== null && left !== null) {
    if (wanted.spend_currency !== held.spend_currency) wider.push('spend_currency')
    else if (wanted.spend_amount > left) wider.push('spend_amount')
  }
  if (wanted.price_amount !== null && held.price_amount !== null) {
    if (wanted.price_currency !== held.price_currency) wider.push('price_currency')
    else if (wanted.price_amount > held.price_amount) wider.push('price_amount')
  }
  if (wanted.approval_amount !== null && held.approval_amount !== null) {
    if (wanted.approval_currency !== held.approval_currency) wider.push('approval_currency')
    else if (wanted.approval_amount > held.approval_amount) wider.push('approval_amount')
  }
  const { allowed_tlds, allowed_domains, allowed_ips } = held
  if (allowed_tlds && wanted.allowed_tlds?.some((tld) => !allowed_tlds.includes(tld)))
    wider.push('allowed_tlds')
  if (
    allowed_domains &&
    wanted.allowed_domains?.some((one) => !coversPattern(allowed_domains, one))
  )
    wider.push('allowed_domains')
  if (allowed_ips && wanted.allowed_ips?.some((one) => !coversNetwork(allowed_ips, one)))
    wider.push('allowed_ips')
  const { dns_hosts, dns_types } = held
  if (dns_hosts && wanted.dns_hosts?.some((one) => !coversHost(dns_hosts, one)))
    wider.push('dns_hosts')
  if (dns_types && wanted.dns_types?.some((one) => !dns_types.includes(one)))
    wider.push('dns_types')
  return wider
}
