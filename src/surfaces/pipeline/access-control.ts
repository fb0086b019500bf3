// Authentication by the Authorization header, the quotas of the caller, and authorization: may this
// caller call this operation on these resources? Another customer's resources are 404, never 403.

import { type App, type Caller, type EntryPoint, holdsScope, type Operation } from '../../app.ts'
import { customerAbsent, sessionRequired } from '../../capabilities/account/index.ts'
import type { TokenRefusal } from '../../capabilities/api-keys/index.ts'
import { domainNotFound } from '../../capabilities/domains/index.ts'
import {
  addressNotAllowed,
  isAllowedAddress,
  isVisibleDomain,
  pageOfApps,
} from '../../capabilities/limits/index.ts'
import { accountSuspended, insufficientScope } from '../../errors/faults.ts'
import { parseHost } from '../../kit/net/host.ts'
import type { CustomerId } from '../../kit/random.ts'
import type { LimitKey, Policy } from '../../rate-limits/leased-quotas.ts'
import {
  customerRequired,
  customerToolKeyInvalid,
  invalidToken,
  operatorOnly,
  unauthenticated,
} from './faults.ts'

/**
 * The place where a token was presented, because an OAuth token is valid at its own resource alone
 * (RFC 8707).
 */
export type PresentedAt = { entry_point: EntryPoint }

/**
 * Authenticates the tokens that start with its prefix. It is undefined for one that is unknown,
 * expired or revoked. OAuth tokens have no prefix, so they may begin like another's.
 */
export type Authenticator = {
  prefix: string
  authenticate: (token: string, at: PresentedAt) => Promise<Caller | undefined>
  /** Explains why the token is refused. It is called after all authenticators have refused it. */
  explain?: (token: string, at: PresentedAt) => Promise<TokenRefusal | undefined>
}

const anonymous: Caller = { kind: 'anonymous' }

/**
 * The caller of a request, who is anonymous without a credential. Throws 401 for an invalid one,
 * and 403 for one that may not be used from this address. An access token in the query string is
 * rejected (OAuth 2.1 section 5.1).
 */
export async function authenticate(
  authenticators: readonly Authenticator[],
  request: PresentedAt & {
    authorization: string | undefined
    tokenInQuery: boolean
    address: string
  },
): Promise<Caller> {
  if (request.tokenInQuery)
    throw unauthenticated({ detail: 'A token in the query string is not accepted.' })
  if (request.authorization === undefined) return anonymous
  const token = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(request.authorization)?.[1]
  if (!token) throw invalidToken({ detail: 'The Authorization header is not "Bearer <token>".' })
  for (const one of authenticators) {
    const caller = token.startsWith(one.prefix) ? await one.authenticate(token, request) : undefined
    if (caller && !isAllowedAddress(caller, request.address))
      throw addressNotAllowed(caller.kind === 'oauth_client' ? { page: pageOfApps } : {})
    if (caller) return caller
  }
  for (const { prefix, explain } of authenticators) {
    const refusal = token.startsWith(prefix) ? await explain?.(token, request) : undefined
    if (refusal) throw invalidToken(refusal)
  }
  throw invalidToken()
}

/**
 * Returns if the caller may call the operation, or throws the fault that says why not.
 * `pathCustomer` is the customer_id of the route, where it has one.
 */
export function authorize(
  operation: Operation,
  caller: Caller,
  pathCustomer: CustomerId | undefined,
): void {
  const { about, scope, operator, in_person, while_suspended } = operation.who
  if (about === 'anyone') return
  const inspects = caller.kind === 'customer_tool'
  // Only the pages of operators open it, because an operator's key is no credential of the customer
  // tool.
  const inBrowser = caller.kind === 'operator' && caller.session_id !== undefined
  if (about === 'customer_tool' && (inspects || inBrowser)) return
  if (about === 'customer_tool' || inspects) throw customerToolKeyInvalid()
  if (caller.kind === 'anonymous') throw unauthenticated()
  if (caller.kind === 'operator') {
    if (!operator) throw customerRequired()
    return
  }
  if (about === 'service') throw operatorOnly()
  if (about === 'customer' && pathCustomer !== caller.customer_id) throw customerAbsent()
  if (scope && !holdsScope(caller.scopes, scope))
    throw insufficientScope({
      detail: `The token lacks the scope ${scope}.`,
      facts: { required_scope: scope },
      headers: {
        'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"`,
      },
      ...(caller.kind === 'oauth_client' && ofApp),
    })
  if (in_person && caller.kind !== 'customer') throw sessionRequired()
  const may_change = in_person || while_suspended
  if (caller.suspended && !may_change && operation.effect !== 'none') throw accountSuspended()
}

/**
 * Throws 404 for a domain of a route that the limits of the caller hide. A malformed name is 422
 * later.
 */
export function authorizeDomain(
  { operation, caller }: { operation: Operation; caller: Caller },
  { domain }: { readonly domain?: unknown },
): void {
  if (operation.who.about !== 'me' || !operation.path.includes('{domain}')) return
  const name = typeof domain === 'string' ? parseHost(domain) : undefined
  if (name !== undefined && !isVisibleDomain(caller, name)) throw domainNotFound()
}

/** The customer in the path, or else the caller's own. It is empty where there is none. */
export function customerOf(caller: Caller, pathCustomer: CustomerId | undefined): CustomerId {
  if (pathCustomer !== undefined) return pathCustomer
  return 'customer_id' in caller ? caller.customer_id : ''
}

/** An app asks for more by itself, and its owner decides on the page of consent. */
const ofApp = {
  hint:
    'Authorize again, with the scope named in "required_scope" added: the owner decides on the ' +
    'consent page. "url" shows what the app may do now.',
  page: '/connected-apps',
}

/** The key by which the requests of a caller are counted. */
export function limitKeyOf(caller: Caller, address: string): LimitKey {
  return caller.kind === 'anonymous' ? { address } : { principal: principalKey(caller) }
}

type Policies = Record<
  | ('address' | 'anonymous' | 'principal' | 'account')
  | ('anonymousNames' | 'principalNames' | 'accountNames'),
  Policy
>

/**
 * The quota of the keys and the apps of an account together, in quotas of one of them (decision
 * 86).
 */
const times_of_account = 4

/** The quotas of requests and of checked names, by the kind of caller. */
export function policiesOf({ settings }: Pick<App, 'settings'>): Policies {
  const minute = (name: string, quota: number): Policy => ({ name, quota, window_s: 60 })
  return {
    address: minute('address', settings.address_requests_per_minute),
    anonymous: minute('requests', settings.anonymous_requests_per_minute),
    principal: minute('requests', settings.requests_per_minute),
    account: minute('requests-of-account', times_of_account * settings.requests_per_minute),
    anonymousNames: minute('names', settings.anonymous_names_per_minute),
    principalNames: minute('names', settings.names_per_minute),
    accountNames: minute('names-of-account', times_of_account * settings.names_per_minute),
  }
}

/** The key of a known caller, by its credential. */
export function principalKey(caller: Exclude<Caller, { kind: 'anonymous' }>): string {
  switch (caller.kind) {
    case 'operator':
      return `operator:${caller.key_id}`
    case 'customer_tool':
      return 'customer-tool'
    case 'customer':
      return `customer:${caller.customer_id}`
    case 'api_key':
      return `key:${caller.key_id}`
    case 'oauth_client':
      return `grant:${caller.grant_id}`
  }
}
