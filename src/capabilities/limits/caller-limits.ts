// The limits of a caller: those that its principal carries (its networks and its visible domains),
// and those of its purchases, read back or as the refusal of one.

import Type from 'typebox'
import type { App, Call, Caller, CallerLimits } from '../../app.ts'
import type { Sql } from '../../db/database.ts'
import type { Json } from '../../db/statement.ts'
import { type Fault, type FaultType, faultWith } from '../../kit/fault.ts'
import { formatAmount } from '../../kit/money.ts'
import type { ApiKeyId, GrantId } from '../../kit/random.ts'
import { compile, wordOf } from '../../kit/schema.ts'
import {
  addressNotAllowed,
  approvalRequired,
  buyerEnded,
  currencyNotAllowed,
  domainNotAllowed,
  limitNotHeld,
  pageOfApps,
  priceAboveLimit,
  spendLimitExceeded,
} from './faults.ts'
import { type LimitsRow, limitsAgainst, limitsOfCaller, mayStillBuy } from './limits.sql.ts'
import { limitsBody } from './limits.ts'
import { coversNetwork, expressionOfAny, matchesAny } from './patterns.ts'

const lists = Type.Array(Type.Array(Type.String()))
const stored = compile(
  Type.Union([
    Type.Null(),
    Type.Object({
      ...{ domains: lists, tlds: lists, ips: lists },
      ...{ strict_domains: lists, strict_tlds: lists },
      dns: Type.Array(
        Type.Object({
          hosts: Type.Union([Type.Null(), Type.Array(Type.String())]),
          types: Type.Union([Type.Null(), Type.Array(Type.Integer())]),
          in_person: Type.Boolean(),
        }),
      ),
    }),
  ]),
)

/** The result of limits_of_access. */
export function callerLimitsOf(json: Json): CallerLimits | null {
  return stored.parse(json)
}

/** Null for a caller that no limit binds: the owner, an operator, a job. */
function limitsOf(caller: Caller): CallerLimits | null {
  return 'limits' in caller ? caller.limits : null
}

/** `address` is in the form that is counted, which is the /64 of an IPv6 address. */
export function isAllowedAddress(caller: Caller, address: string): boolean {
  return limitsOf(caller)?.ips.every((networks) => coversNetwork(networks, address)) ?? true
}

/** False if the domain does not exist for this caller. `name` is in lower-case A-labels. */
export function isVisibleDomain(caller: Caller, name: string): boolean {
  return seesDomain(limitsOf(caller), name)
}

/** The same for limits without a caller; null stands for none. */
export function seesDomain(limits: CallerLimits | null, name: string): boolean {
  return limits?.domains.every((patterns) => matchesAny(patterns, name)) ?? true
}

/** Whether it may buy, renew and transfer under the TLD of this name. */
export function isAllowedTld(caller: Caller, name: string): boolean {
  const tld = name.slice(name.indexOf('.') + 1)
  return limitsOf(caller)?.tlds.every((allowed) => allowed.includes(tld)) ?? true
}

/** Whether the owner is to be asked about a name that isVisibleDomain does not allow. */
export function mayAskForName(caller: Caller, name: string): boolean {
  return limitsOf(caller)?.strict_domains.every((patterns) => matchesAny(patterns, name)) ?? true
}

/** Whether the owner is to be asked about a name under a TLD that isAllowedTld does not allow. */
export function mayAskForTld(caller: Caller, name: string): boolean {
  const tld = name.slice(name.indexOf('.') + 1)
  return limitsOf(caller)?.strict_tlds.every((allowed) => allowed.includes(tld)) ?? true
}

/**
 * Regular expressions of PostgreSQL, all of which a visible name matches, or null if every name is
 * visible.
 */
export function visibleNames(caller: Caller): string[] | null {
  const all = limitsOf(caller)?.domains ?? []
  return all.length === 0 ? null : all.map(expressionOfAny)
}

/** Throws limitNotHeld where the limits of the caller hide domains, which a webhook would show. */
export function requireAllDomains(caller: Caller): void {
  if (visibleNames(caller) === null) return
  throw limitNotHeld({
    detail: 'A webhook shows the events of every domain, and your limits allow only some.',
    hint: 'Read the events of your domains with list_events, or ask the owner for the webhook.',
    facts: { limits_not_held: ['allowed_domains'] },
  })
}

/** Shows in a refusal all lists, of each of which a name has to match one entry. */
export function allowedNames(caller: Caller) {
  const { domains = [], tlds = [] } = limitsOf(caller) ?? {}
  const copy = (lists: readonly (readonly string[])[]) => lists.map((list) => [...list])
  return { allowed_domains: copy(domains), allowed_tlds: copy(tlds) }
}

/** The key, and the consent, that a call is made with. Both are null for everybody else. */
export type LimitedBy = { api_key_id: ApiKeyId | null; oauth_grant_id: GrantId | null }

export function limitedBy(caller: Caller): LimitedBy {
  return {
    api_key_id: caller.kind === 'api_key' ? caller.key_id : null,
    oauth_grant_id: caller.kind === 'oauth_client' ? caller.grant_id : null,
  }
}

/** The limits of a caller, those of its key first. The list is empty if nothing limits it. */
export async function readCallerLimits(sql: Sql, by: LimitedBy): Promise<LimitsRow[]> {
  if (by.api_key_id === null && by.oauth_grant_id === null) return []
  return sql.run(limitsOfCaller, by)
}

type Price = { amount: bigint; currency: string }
/**
 * The rules in the order in which orders_place names the first that refuses: `ended` first, then
 * the alphabet. `ended`: the caller may no longer buy; `address`: it may not buy from its address;
 * `domain`: the domain is outside the lists; `unapproved`: only the owner's approval is missing.
 */
export const limitRules = [
  ...(['ended', 'address', 'currency', 'domain'] as const),
  ...(['max_price', 'spend_limit', 'unapproved'] as const),
]
export type LimitRule = (typeof limitRules)[number]
type PriceRule = Exclude<LimitRule, 'ended' | 'address' | 'domain'>

const faultOf: Record<PriceRule, FaultType> = {
  currency: currencyNotAllowed,
  max_price: priceAboveLimit,
  spend_limit: spendLimitExceeded,
  unapproved: approvalRequired,
}

const priceRules = ['currency', 'max_price', 'spend_limit', 'unapproved'] as const

/** The limit that stands against a purchase at this price, if there is one, and its rule. */
async function limitAgainst(
  sql: Sql,
  by: LimitedBy,
  price: Price & { approved: boolean },
): Promise<{ rule: PriceRule; row: LimitsRow } | undefined> {
  if (by.api_key_id === null && by.oauth_grant_id === null) return undefined
  const [row] = await sql.run(limitsAgainst, { ...by, ...price })
  if (!row || row.refused === null) return undefined
  return { rule: wordOf(priceRules, row.refused), row }
}

type Refused = { price: Price; now: Date; rule: LimitRule }

/**
 * The refusal of a purchase by `rule`. Its figures are those of this moment: what an equal purchase
 * held a moment ago may have been released since.
 */
export async function limitFault(
  call: Pick<Call, 'sql'>,
  by: LimitedBy,
  { price, now, rule }: Refused,
): Promise<Fault> {
  const { amount, currency } = price
  const ofApp = by.oauth_grant_id !== null && { page: pageOfApps }
  if (rule === 'ended') return buyerEnded({ ...ofApp })
  if (rule === 'address') return addressNotAllowed({ ...ofApp })
  if (rule === 'domain') return domainNotAllowed({ ...ofApp })
  const found = await limitAgainst(call.sql, by, { amount, currency, approved: false })
  return faultFor(by, found ?? { rule, row: undefined }, { price, now })
}

/**
 * Checks the limits for a dry run, which must not promise a purchase that a limit refuses. With
 * `approved` it answers as if the owner had approved it.
 */
export async function refuseOverLimits(
  call: Pick<Call, 'sql' | 'caller'>,
  price: Price,
  { now, approved }: { now: Date; approved: boolean },
): Promise<void> {
  const by = limitedBy(call.caller)
  const { amount, currency } = price
  const found = await limitAgainst(call.sql, by, { amount, currency, approved })
  if (found) throw faultFor(by, found, { price, now })
}

/** Whether the owner's approval is all that stands against a purchase at this price. */
export async function needsApproval(
  { sql, caller }: Pick<Call, 'sql' | 'caller'>,
  { amount, currency }: Price,
): Promise<boolean> {
  const against = await limitAgainst(sql, limitedBy(caller), { amount, currency, approved: false })
  return against?.rule === 'unapproved'
}

function faultFor(
  by: LimitedBy,
  { rule, row }: { rule: PriceRule; row: LimitsRow | undefined },
  { price, now }: Omit<Refused, 'rule'>,
): Fault {
  const priced = `${formatAmount(price.amount)} ${price.currency}`
  const limit = row && limitEntry(row, by, now)
  const words = limit ? wordsOf(rule, limit, price) : ''
  const isOfApp = limit ? limit.of === 'app' : by.oauth_grant_id !== null
  return faultWith(faultOf[rule], {
    ...(isOfApp && rule !== 'unapproved' && { page: pageOfApps }),
    detail: `${faultOf[rule].sentence} The price is ${priced}${words}.`,
    facts: {
      price: { currency: price.currency, amount: formatAmount(price.amount) },
      ...(limit && { limit }),
      ...(rule === 'unapproved' && { approval: null }),
    },
  })
}

type Entry = ReturnType<typeof limitEntry>

function wordsOf(rule: PriceRule, limit: Entry, price: Price): string {
  const { name, spend_limit, max_price, approval_above } = limit
  const of = `, and the limit of "${name}"`
  if (rule === 'unapproved' && approval_above)
    return `, and "${name}" needs it above ${approval_above.amount} ${approval_above.currency}`
  if (rule === 'max_price' && max_price) return `${of} ${max_price.amount} ${max_price.currency}`
  if (rule === 'currency') {
    const all = [spend_limit, max_price, approval_above]
    const other = all.find((one) => one && one.currency !== price.currency)
    return other ? `${of} is in ${other.currency}` : ''
  }
  if (!spend_limit) return ''
  const { left, currency, amount, window, until } = spend_limit
  return (
    `${of} has ${left} ${currency} left of ${amount} ${currency} ` +
    (window === 'total' ? 'in total' : `a ${window}, until ${until}`)
  )
}

/** The limits of the caller itself, or null for a caller without limits, such as the owner. */
export async function callerLimitEntries(app: App, call: Call) {
  // The look-up that authenticated the caller found no limit.
  if (limitsOf(call.caller) === null) return null
  const by = limitedBy(call.caller)
  const rows = await readCallerLimits(call.sql, by)
  return rows.length === 0 ? null : rows.map((row) => limitEntry(row, by, app.clock.now()))
}

/** One limit as a caller reads it. */
export function limitEntry(row: LimitsRow, by: LimitedBy, now: Date) {
  const isKey = row.api_key_id !== null
  const isOwn = isKey ? row.api_key_id === by.api_key_id : by.oauth_grant_id !== null
  const isOwner = by.api_key_id === null && by.oauth_grant_id === null
  return {
    of: isKey ? ('api_key' as const) : ('app' as const),
    id: isKey ? String(row.api_key_id) : String(row.oauth_client_id),
    name: row.key_name ?? row.client_name ?? `API key ${row.api_key_id}`,
    inherited: !isOwner && !isOwn,
    expires_at: row.expires_at?.toISOString() ?? null,
    ...limitsBody(row, now),
  }
}

/** True for the owner. */
export async function mayBuy(sql: Sql, by: LimitedBy): Promise<boolean> {
  if (by.api_key_id === null && by.oauth_grant_id === null) return true
  return (await sql.one(mayStillBuy, by)).may
}

/** Whether all limits of a key, or an app, still allow a domain: its name and its TLD. */
export async function mayBuyDomain(sql: Sql, by: LimitedBy, name: string): Promise<boolean> {
  const tld = name.slice(name.indexOf('.') + 1)
  const chain = await readCallerLimits(sql, by)
  return chain.every(
    ({ allowed_domains, allowed_tlds }) =>
      (allowed_domains === null || matchesAny(allowed_domains, name)) &&
      (allowed_tlds === null || allowed_tlds.includes(tld)),
  )
}
