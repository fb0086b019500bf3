// The host side of the authorization server's ports: rate limits, client addresses and shutdown.
import type { FastifyRequest } from 'fastify'
import { type Operation, scopes } from '../../app.ts'
import type { Settings } from '../../config.ts'
import type { HostPorts, RateLimitGroup } from '../../oauth/index.ts'
import {
  type LimitState,
  type Limits,
  limitHeaders,
  type Policy,
} from '../../rate-limits/leased-quotas.ts'
import { draining } from '../pipeline/faults.ts'
import { clientAddress } from './request.ts'
import type { RestParts } from './server.ts'

export type HostPortParts = Pick<RestParts, 'settings' | 'addressOf' | 'shutdown'> & {
  limits: Limits
  operations: readonly Operation[]
}

export function oauthHostPorts({
  settings,
  limits,
  operations,
  ...parts
}: HostPortParts): HostPorts {
  const addressOf = (request: FastifyRequest) => clientAddress(request, parts.addressOf)
  const policies = policiesOf(settings)
  return {
    default_scopes: scopes.filter((scope) =>
      operations.some(({ tools, who }) => tools !== undefined && who.scope === scope),
    ),
    addressOf,
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

/**
 * A hosted client serves many users from one address, so documents and tokens have the wide limit
 * of an address. An authorization is one person's, and leaves a row for half an hour: it counts
 * when it begins, and apart from that each time its form is sent, so that an office behind one
 * address can connect within a minute. Wrong passwords are counted by sign-in.
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
    submit: [{ name: 'submissions', ...few }],
    page: [address],
    token: [address],
    register,
  }
}
