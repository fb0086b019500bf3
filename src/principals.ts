// Callers (principals), the scopes of tokens, and the authorization rule of an operation.

import type { Sql } from './db/database.ts'
import type { ApiKeyId, ApprovalId, CustomerId, DomainName, GrantId } from './kit/random.ts'

/** The scopes of tokens. */
export const scopes = [
  'account:read',
  'account:write',
  'contacts:read',
  'contacts:write',
  'domains:read',
  'domains:write',
  'dns:write',
  'domains:purchase',
  'domains:transfer',
  'billing:read',
  'billing:write',
  'keys:read',
  'keys:write',
  'audit:read',
  'support:read',
  'support:write',
] as const
export type Scope = (typeof scopes)[number]

/** A scope, and the wider one that includes it. */
const [narrow, wide] = ['dns:write', 'domains:write'] as const satisfies Scope[]

/** Whether scopes have one, either by themselves or within a wider one. */
export function holdsScope(held: ReadonlySet<string>, scope: string): boolean {
  return held.has(scope) || (scope === narrow && held.has(wide))
}

/** The scopes without those that another of them includes, in their order. */
export function withoutIncluded<S extends string>(given: readonly S[]): S[] {
  return given.filter((scope) => scope !== narrow || !given.some((one) => one === wide))
}

/** The scopes that both have, each once, in the order above and reduced as by withoutIncluded. */
export function sharedScopes(one: Iterable<string>, other: Iterable<string>): Scope[] {
  const [first, second] = [new Set(one), new Set(other)]
  return withoutIncluded(
    scopes.filter((scope) => holdsScope(first, scope) && holdsScope(second, scope)),
  )
}

/** The service's scopes among these, reduced as by sharedScopes. */
export function foldScopes(given: Iterable<string>): Scope[] {
  const held = [...given]
  return sharedScopes(held, held)
}

/**
 * The domains, TLDs and addresses to which the owner's limits bind a key or an app. There is a list
 * for each limit of the chain, and all of them apply. Patterns and networks are in their stored
 * form.
 */
export type CallerLimits = {
  domains: readonly (readonly string[])[]
  tlds: readonly (readonly string[])[]
  ips: readonly (readonly string[])[]
  /** The lists of `domains` and `tlds` outside of which the owner is not asked. */
  strict_domains: readonly (readonly string[])[]
  strict_tlds: readonly (readonly string[])[]
  /** The limits on DNS records, one for each limit that has them. */
  dns: readonly DnsLimit[]
}

/**
 * `hosts` are patterns relative to the domain, and `types` are numbers; null allows all.
 * `in_person` states whether its owner set it in a session.
 */
export type DnsLimit = {
  hosts: readonly string[] | null
  types: readonly number[] | null
  in_person: boolean
}

/** The authenticated caller. */
export type Caller =
  | { kind: 'anonymous' }
  | {
      kind: 'operator'
      key_id: bigint
      /** The name of the key. */
      label: string
      /** The session of the operator's browser; if left out, the key itself was sent. */
      session_id?: bigint
    }
  /** Support staff with the key of the customer tool, which opens nothing else. */
  | { kind: 'customer_tool' }
  | {
      /** A signed-in person with a session. */
      kind: 'customer'
      customer_id: CustomerId
      suspended: boolean
      session_id: bigint
      /** When the password was last given in this session. */
      signed_in_at: Date
      scopes: ReadonlySet<Scope>
    }
  | {
      kind: 'api_key'
      customer_id: CustomerId
      suspended: boolean
      key_id: ApiKeyId
      /** SHA-256 of the key as it was sent. If left out, the service makes the call for it. */
      key_hash?: Buffer
      label: string | null
      scopes: ReadonlySet<Scope>
      /** The expiry, or null if it has none. */
      limits: CallerLimits | null
    }
  | {
      /** An agent with an access token that the customer consented to. */
      kind: 'oauth_client'
      customer_id: CustomerId
      suspended: boolean
      grant_id: GrantId
      client_id: string
      /** The name that it registered with, or its client_id. */
      label: string
      scopes: ReadonlySet<Scope>
      /** The expiry, or null if it has none. */
      limits: CallerLimits | null
    }
export type CustomerCaller = Extract<Caller, { customer_id: CustomerId }>

/** A request that the owner approved, and that the service makes for the key or the app. */
export type ApprovedRequest = {
  id: ApprovalId
  /** The SHA-256 of exactly the approved request. */
  digest: string
  /** The highest price in minor units, or null if it costs nothing. */
  amount: bigint | null
}

/** The facts of an effect on which the right to it depends. */
export type EffectOf = {
  /** The transaction that stores it. If left out, it is sent to an outside party. */
  sql?: Pick<Sql, 'maybe'>
  /** The domain that it changes, in lower-case A-labels. */
  domain?: DomainName
  /** A scope that it needs in addition to the operation's. */
  scope?: Scope
  /** The DNS records that it changes, as their host and the number of their type. */
  records?: readonly { host: string; type: number }[]
}
/**
 * `protected`: the domain is protected now. `records_free`: its limit on DNS records, which the
 * owner set, lets it change the records of a protected domain.
 */
export type PresentRight = { protected: boolean; records_free: boolean }

/** The callers that an operation admits. `about` is the owner of its objects. */
export type Who = {
  /**
   * anyone: no token is needed; known: any valid token; me: the caller itself; customer: the one in
   * the path; service: the registrar itself; customer_tool: everything that may be inspected.
   */
  about: 'anyone' | 'known' | 'me' | 'customer' | 'service' | 'customer_tool'
  scope: Scope | null
  operator: boolean
  /** Only a session is admitted, but no key and no OAuth client, whatever its scopes are. */
  in_person?: true
  /** It is also open to a suspended account, although it changes something. */
  while_suspended?: true
}

/** The operation is public and works without a token, but a token that is sent must be valid. */
export function anyone(): Who {
  return { about: 'anyone', scope: null, operator: true }
}

/** Any valid token is admitted, whatever its scopes are, for data that belongs to no account. */
export function anyToken(): Who {
  return { about: 'known', scope: null, operator: true }
}

/**
 * A customer (or its key with this scope) is admitted to its own objects; an operator gets 403
 * customer_required.
 */
export function owner(scope: Scope): Who {
  return { about: 'me', scope, operator: false }
}

/**
 * The owner is admitted in person, by a session. A key or an OAuth client gets 403
 * session_required, and an operator customer_required. It is also open to a suspended account,
 * whose owner must be able to keep others out.
 */
export function ownerInPerson(): Who {
  return { about: 'me', scope: null, operator: false, in_person: true }
}

/**
 * The customer named in the path (or its key with this scope) is admitted, and an operator unless
 * `operator` is false.
 */
export function ownerOf(scope: Scope, others: { operator: boolean } = { operator: true }): Who {
  return { about: 'customer', scope, operator: others.operator }
}

/** The customer named in the path is admitted in person, as by ownerInPerson. */
export function ownerOfInPerson(): Who {
  return { about: 'customer', scope: null, operator: false, in_person: true }
}

/** Only operators are admitted; a customer gets 403 operator_only. */
export function operatorOnly(): Who {
  return { about: 'service', scope: null, operator: true }
}

/**
 * The key of the customer tool or an operator's browser session is admitted, but no other token.
 */
export function customerTool(): Who {
  return { about: 'customer_tool', scope: null, operator: false }
}
