// The host side of the authorization server's ports: rate limits, client addresses, shutdown, and
// the operations that its pages call.
import type { FastifyRequest } from 'fastify'
import { type Caller, type Operation, scopes } from '../../app.ts'
import { sessionCookieName } from '../../capabilities/sign-in/index.ts'
import type { Settings } from '../../config/config.ts'
import type { HostPorts, PageCall, RateLimitGroup } from '../../oauth/index.ts'
import {
  type LimitState,
  type Limits,
  limitHeaders,
  type Policy,
} from '../../rate-limits/leased-quotas.ts'
import { cookiesIn } from '../pipeline/cookie-authentication.ts'
import { draining } from '../pipeline/faults.ts'
import type { IncomingRequest, Pipeline } from '../pipeline/pipeline.ts'
import { browserFields, clientAddress, incomingRequest } from './request.ts'
import type { RestParts } from './server.ts'

type HostPortParts = Pick<RestParts, 'settings' | 'addressOf' | 'shutdown'> & {
  limits: Limits
  operations: readonly Operation[]
  readSession: (token: string) => Promise<Caller | undefined>
  /** The pipeline authenticates tokens of the authorization server, so it is opened after that. */
  pipeline: () => Pick<Pipeline, 'call'>
}

export function oauthHostPorts({
  settings,
  limits,
  operations,
  readSession,
  pipeline,
  ...parts
}: HostPortParts): HostPorts {
  const addressOf = (request: FastifyRequest) => clientAddress(request, parts.addressOf)
  const policies = policiesOf(settings)
  const cookiesOf = ({ headers }: FastifyRequest) => cookiesIn(headers.cookie)
  const sessionIn = async (cookies: string | undefined) => {
    const token = cookiesIn(cookies).get(sessionCookieName(settings))
    return token === undefined ? undefined : readSession(token)
  }
  return {
    default_scopes: scopes.filter((scope) =>
      operations.some(({ tools, who }) => tools !== undefined && who.scope === scope),
    ),
    addressOf,
    call: (request, called) =>
      pipeline().call(called.operation, pageRequest(request, called, parts.addressOf)),
    cookiesOf,
    sessionOf: (request) => sessionIn(request.headers.cookie),
    sessionGiven: ({ headers }) => sessionIn(headers['Set-Cookie']?.split(';')[0]),
    count: async (policy, key) => limits.take(policy, key, 1),
    async admit(request, reply, group) {
      if (parts.shutdown.aborted) throw draining({ retry_after_s: 1 })
      const states: LimitState[] = []
      const key = { address: addressOf(request) }
      await limits.enforce(policies[group], { key, units: 1, states })
      reply.headers(limitHeaders(states))
    },
  }
}

/** The request as the dashboard sends it, from a page of the same origin. */
function pageRequest(
  request: FastifyRequest,
  { path = {}, body }: PageCall,
  addressOf: HostPortParts['addressOf'],
): IncomingRequest {
  const own = { x_session: 'cookie', sec_fetch_site: 'same-origin', safe: false }
  return {
    ...incomingRequest(request, addressOf),
    entry_point: 'dashboard',
    authorization: undefined,
    tokenInQuery: false,
    pathCustomer: undefined,
    browser: { ...browserFields(request), ...own, content_type: 'application/json' },
    input: { path, query: {}, header: { 'x-session': 'cookie' }, body },
  }
}

/**
 * A hosted client serves many users from one address, so documents and tokens have the wide limit
 * of an address. An authorization is one person's, and leaves a row for half an hour: it counts
 * when it begins, and apart from that each time a form of it is sent (log-in, perhaps a mailed
 * code, consent), so that an office behind one address can connect within a minute. Wrong passwords
 * are counted by sign-in.
 */
function policiesOf(settings: Settings): Record<RateLimitGroup, readonly Policy[]> {
  const address = {
    name: 'address',
    quota: settings.address_requests_per_minute,
    window_s: 60,
  }
  const name = 'client-registrations'
  const hourly = settings.client_registrations_per_hour
  const register = [
    { name: `${name}-at-once`, quota: Math.ceil(hourly / 2), window_s: 60 },
    { name, quota: hourly, window_s: 3_600 },
  ]
  const few = { quota: settings.anonymous_requests_per_minute, window_s: 60 }
  return {
    document: [address],
    authorize: [{ name: 'authorizations', ...few }],
    submit: [{ name: 'submissions', quota: 3 * few.quota, window_s: few.window_s }],
    page: [address],
    token: [address],
    register,
  }
}
