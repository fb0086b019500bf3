// The limits that travel with an authenticated caller: from which addresses it may call, and which
// domains it may see.
import Type from 'typebox'
import type { Caller, CallerLimits } from '../../app.ts'
import type { Json } from '../../db/statement.ts'
import { compile } from '../../kit/schema.ts'
import { limitNotHeld } from './faults.ts'
import { coversNetwork, expressionOfAny, matchesAny } from './patterns.ts'

const lists = Type.Array(Type.Array(Type.String()))
const stored = compile(
  Type.Union([
    Type.Null(),
    Type.Object({
      ...{ domains: lists, tlds: lists, ips: lists },
      ...{ strict_domains: lists, strict_tlds: lists },
    }),
  ]),
)

/** The answer of limits_of_access. */
export function callerLimitsOf(json: Json): CallerLimits | null {
  return stored.parse(json)
}

/** Null for a caller that no limit binds: the owner, an operator, a job. */
function limitsOf(caller: Caller): CallerLimits | null {
  return 'limits' in caller ? caller.limits : null
}

/** `address` as it is counted: of IPv6 the /64. */
export function isAllowedAddress(caller: Caller, address: string): boolean {
  return limitsOf(caller)?.ips.every((networks) => coversNetwork(networks, address)) ?? true
}

/** False: for this caller there is no such domain. `name` in lower-case A-labels. */
export function isVisibleDomain(caller: Caller, name: string): boolean {
  return limitsOf(caller)?.domains.every((patterns) => matchesAny(patterns, name)) ?? true
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
 * Regular expressions of PostgreSQL that a visible name all matches; null: every name is visible.
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

/** For a refusal: all lists that a name has to match, one of each. */
export function allowedNames(caller: Caller) {
  const { domains = [], tlds = [] } = limitsOf(caller) ?? {}
  return { allowed_domains: domains, allowed_tlds: tlds }
}
