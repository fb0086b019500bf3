// What the authorization server is given by the entrance, of which rooms know nothing, and what its
// own pages are given of one request.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { App, Scope } from '../app.ts'
import type { OutboundNetwork } from './clients/metadata-documents/ssrf-safe-fetch.ts'

/**
 * What is asked for, for the limit that it counts in. `authorize`: an authorization begins;
 * `submit`: its form is sent; `page`: what else the browser asks for in the midst of it.
 */
export type RateLimitGroup = 'document' | 'authorize' | 'submit' | 'page' | 'token' | 'register'

export type Quota = { name: string; quota: number; window_s: number }

export type HostPorts = {
  /** Asked for where an authorization request names no scope: all that some tool needs. */
  default_scopes: readonly Scope[]
  /**
   * Counts the request for its address and writes what is left into the answer's header fields.
   * Throws the fault: too many, or this node is stopping.
   */
  admit: (request: FastifyRequest, reply: FastifyReply, group: RateLimitGroup) => Promise<void>
  /**
   * Takes one unit of a quota of the authorization server's own; `resets_s` is when there are more.
   */
  count: (policy: Quota, key: string) => Promise<{ allowed: boolean; resets_s: number }>
  /** The address that a request is counted for. */
  addressOf: (request: FastifyRequest) => string
  /** Where documents of clients are; left out: the Internet. */
  outbound?: OutboundNetwork
}

/** One request to a page of ours in the middle of an authorization. */
export type InteractionContext = {
  app: App
  /** The one of now: keys that are rotated bring another. */
  provider: Provider
  request: FastifyRequest
  reply: FastifyReply
  /** As counted in limits. */
  address: string
}
