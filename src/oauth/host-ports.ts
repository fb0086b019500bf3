// Ports that the HTTP host supplies to the authorization server, and the context that its own pages
// get with each request.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { App, Caller, Operation, Scope } from '../app.ts'
import type { OutboundNetwork } from '../kit/net/outbound-network.ts'

/**
 * The rate limit that a request counts against. `authorize` is a new authorization request,
 * `submit` its form, and `page` stands for the other requests of the browser in between.
 */
export type RateLimitGroup = 'document' | 'authorize' | 'submit' | 'page' | 'token' | 'register'

export type Quota = { name: string; quota: number; window_s: number }

/** An operation of the API that a page calls for its user. */
export type PageCall = {
  operation: Operation
  path?: Record<string, string>
  body: Record<string, unknown>
}
/** The answer of the API. A session that the call creates is in a cookie of `headers`. */
export type PageCallAnswer = {
  status: number
  headers: Record<string, string>
  body: unknown
  error_code: string | null
}

export type HostPorts = {
  /** The scopes of an authorization request that names none: all that some tool needs. */
  default_scopes: readonly Scope[]
  /**
   * Counts the request for its address and sets the rate limit header fields of the response.
   * Throws the fault: too many requests, or this node is shutting down.
   */
  admit: (request: FastifyRequest, reply: FastifyReply, group: RateLimitGroup) => Promise<void>
  /**
   * Takes one unit of a quota that the authorization server has of its own. `resets_s` are the
   * seconds until the quota is available again.
   */
  count: (policy: Quota, key: string) => Promise<{ allowed: boolean; resets_s: number }>
  /**
   * Calls an operation for a form of ours, whose origin was checked. Limits, audit and refusals are
   * those of the API.
   */
  call: (request: FastifyRequest, called: PageCall) => Promise<PageCallAnswer>
  /** The cookies by name, without any name that was sent twice. */
  cookiesOf: (request: FastifyRequest) => ReadonlyMap<string, string>
  /** The log-in of the dashboard in this browser. */
  sessionOf: (request: FastifyRequest) => Promise<Caller | undefined>
  /** The session that an answer gives to the browser. */
  sessionGiven: (answer: PageCallAnswer) => Promise<Caller | undefined>
  /** The address that a request is counted for. */
  addressOf: (request: FastifyRequest) => string
  /** Where client metadata documents are fetched from; the Internet by default. */
  outbound?: OutboundNetwork
}

/** One request to a page of ours during an authorization. */
export type InteractionContext = {
  app: App
  /** The current provider, because key rotation replaces it. */
  provider: Provider
  request: FastifyRequest
  reply: FastifyReply
  /** The address, as rate limits count it. */
  address: string
  ports: Pick<HostPorts, 'call' | 'cookiesOf' | 'sessionOf' | 'sessionGiven'>
}
