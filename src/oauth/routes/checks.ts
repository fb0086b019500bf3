// The checks that routes.ts lists, the last step of each route, which responds, and the words of
// the token endpoint's refusals.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { oauthErrorResponse } from '../../errors/oauth-json.ts'
import { hashSecret } from '../../kit/random.ts'
import { movedPageRoot } from '../../origins.ts'
import type { DeviceLogIn } from '../device/device-log-in.ts'
import type { HostPorts, InteractionContext, RateLimitGroup } from '../host-ports.ts'
import { signOutOtherAccount } from '../interaction/interaction-state.ts'
import { withCanonicalResources } from '../provider/audiences.ts'
import { errorPageOf } from '../provider/error-page.ts'
import type { Middleware } from '../provider/provider.ts'
import type { ProviderInstance } from '../provider/provider-instance.ts'
import { deviceGrant, routes } from '../shared/endpoints.ts'
import { seeOther } from '../shared/page-layout.ts'
import { notePoll } from '../storage/models.sql.ts'
import { showInteraction, submitInteraction } from './interaction.ts'
import { sendUserinfo } from './userinfo.ts'

export type RouteParts = {
  app: App
  ports: HostPorts
  provider: ProviderInstance
  /** Our request for each request that the library gets. */
  requests: WeakMap<IncomingMessage, FastifyRequest>
  /** The log-ins of requests that came with a password beside a device's code. */
  device_log_ins: WeakMap<FastifyRequest, DeviceLogIn>
}

/** A request on its way through the checks of its route. */
export type Exchange = {
  parts: RouteParts
  request: FastifyRequest
  reply: FastifyReply
  /** Path and query as the library knows them. */
  url: string
  body: Buffer | undefined
}
/** Returns the reply where it has responded. No later check runs then. */
export type Check = (exchange: Exchange) => unknown

/**
 * Rejects U+0000, because PostgreSQL cannot store it and no parameter of OAuth may contain it (RFC
 * 6749 appendix A). Octets that are not UTF-8 are replaced when they are decoded.
 */
export function rejectNul({ request, reply }: Exchange): FastifyReply | undefined {
  if (!hasNul(request)) return undefined
  request.error_code = 'invalid_request'
  const [path = ''] = request.url.split('?')
  const isPage = [routes.authorization, routes.code_verification].some(
    (page) => path === page || path.startsWith(`${page}/`),
  )
  if (!isPage) reply.header('Access-Control-Allow-Origin', '*')
  const { status, headers, body } = isPage ? nulPage : nulError
  return reply.code(status).headers(headers).send(body)
}

function hasNul({ url, body }: FastifyRequest): boolean {
  if (url.includes('%00')) return true
  return Buffer.isBuffer(body) && (body.includes('%00') || body.includes(0))
}

const nulWords = 'a parameter contains the character U+0000'
const nulPage = errorPageOf(400, { error: 'invalid_request', error_description: nulWords })
const nulError = oauthErrorResponse(400, 'invalid_request', nulWords)

export function takeRateLimit(group: RateLimitGroup): Check {
  return ({ parts, request, reply }) => parts.ports.admit(request, reply, group)
}

/** Waits for the provider before a document is cached, because an outage must not be. */
export async function awaitProvider({ parts }: Exchange): Promise<void> {
  await parts.provider.current()
}

/**
 * Lets caches keep a document for less than the ten minutes that a new key is published before it
 * signs.
 */
export function cachePublicly({ reply }: Exchange): void {
  reply.raw.setHeader('Cache-Control', 'public, max-age=300')
}

/** Writes resource indicators in the canonical form that the library compares (RFC 8707). */
export function canonicalizeResources(exchange: Exchange): void {
  const { parts, request, body } = exchange
  const { settings } = parts.app
  if (request.method === 'GET') {
    setQuery(exchange, withCanonicalResources(settings, queryOf(exchange)))
    return
  }
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i
  if (!body?.includes('resource') || !isForm.test(request.headers['content-type'] ?? '')) return
  const params = withCanonicalResources(settings, new URLSearchParams(body.toString()))
  exchange.body = Buffer.from(params.toString())
}

/**
 * A browser goes on at the one origin of pages, where passkeys work and identity providers return
 * (decision 46). Programs follow the metadata, whose URLs are those of the API.
 */
export function moveToPages({ parts, request, reply }: Exchange): FastifyReply | undefined {
  const { settings } = parts.app
  const { headers, url } = request
  const root = movedPageRoot(settings, headers.host ?? '')
  if (root === null || headers['sec-fetch-dest'] !== 'document') return undefined
  const moved = seeOther(root + url)
  return reply.code(moved.status).headers(moved.headers).send(moved.body)
}

/** The library would reject a request without a scope. */
export function addDefaultScopes(exchange: Exchange): void {
  const isForm = exchange.request.method === 'POST'
  const params = isForm ? new URLSearchParams(exchange.body?.toString() ?? '') : queryOf(exchange)
  if (!params.getAll('scope').every((scope) => scope.trim() === '')) return
  params.set('scope', exchange.parts.ports.default_scopes.join(' '))
  if (isForm) exchange.body = Buffer.from(params.toString())
  else setQuery(exchange, params)
}

function queryOf({ url }: Exchange): URLSearchParams {
  return new URL(url, 'http://any').searchParams
}

function setQuery(exchange: Exchange, params: URLSearchParams): void {
  exchange.url = `${routes.authorization}?${params}`
}

export async function signOutOther(exchange: Exchange): Promise<void> {
  const { uid = '' }: { uid?: string } = Object(exchange.request.params)
  await signOutOtherAccount(await contextOf(exchange), uid)
}

export async function respondConsentPage(exchange: Exchange): Promise<FastifyReply> {
  return showInteraction(await contextOf(exchange))
}

export async function respondSubmission(exchange: Exchange): Promise<FastifyReply> {
  return submitInteraction(await contextOf(exchange))
}

async function contextOf({ parts, request, reply }: Exchange): Promise<InteractionContext> {
  const { provider } = await parts.provider.current()
  const { app, ports } = parts
  return { app, provider, request, reply, ports, address: ports.addressOf(request) }
}

export function respondUserinfo({ parts, request, reply }: Exchange): Promise<FastifyReply> {
  return sendUserinfo(parts.app, request, reply)
}

/**
 * The library responds on the raw connection, so the header fields of our hooks are set there
 * first. The hook that logs runs when the response is sent.
 */
export async function forwardToLibrary(exchange: Exchange): Promise<FastifyReply> {
  const { parts, request, reply } = exchange
  const { respond } = await parts.provider.current()
  const forwarded = toNodeRequest(exchange)
  parts.requests.set(forwarded, request)
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  reply.hijack()
  await respond(forwarded, reply.raw)
  return reply
}

/**
 * Request adapter: the raw request with the library's URL, and with the body that was read already,
 * within our limits. The raw request itself is not changed.
 */
function toNodeRequest({ request, url, body = Buffer.alloc(0) }: Exchange): IncomingMessage {
  const { 'transfer-encoding': _chunked, ...headers } = request.headers
  const stream = Readable.from([body])
  const forwarded: IncomingMessage = Object.create(request.raw, {
    url: { value: url, writable: true },
    headers: { value: { ...headers, 'content-length': String(body.length) } },
    readable: { value: true },
    iterator: { value: (options: object) => stream.iterator(options) },
  })
  return forwarded
}

/** The least seconds between two polls of the device flow. */
export const interval_s = 5
/** A timer of the client may fire early, and a request before it may have been slow. */
const leeway_ms = 500n

/**
 * Answers `slow_down` to a poll before its interval has passed, which then is 5 s longer (RFC 8628
 * section 3.5). oidc-provider does not have this.
 */
export async function slowDownPolls(exchange: Exchange): Promise<FastifyReply | undefined> {
  const { parts, request, reply, body } = exchange
  const form = new URLSearchParams(body?.toString() ?? '')
  if (form.get('grant_type') !== deviceGrant) return undefined
  const code = form.get('device_code') ?? ''
  // A text without the form of our codes is never looked up.
  if (/[^\w-]/.test(code))
    return refuse({ request, reply }, 'invalid_grant', 'device code not found')
  const now_ms = BigInt(parts.app.clock.now().getTime())
  const poll = { id_hash: hashSecret(code), interval_s, leeway_ms }
  const row = await parts.app.db.maybe(notePoll, { ...poll, now_ms })
  if (row?.early !== true) return undefined
  return refuse({ request, reply }, 'slow_down', 'wait 5 seconds longer between two polls')
}

type Refusing = Pick<Exchange, 'request' | 'reply'>

function refuse({ request, reply }: Refusing, error: string, words: string) {
  request.error_code = error
  const { status, headers, body } = oauthErrorResponse(400, error, words)
  return reply.code(status).headers(headers).send(body)
}

/** The library's words of a refused grant (RFC 6749 section 5.2), the same for every cause. */
const generic = 'grant request is invalid'

/**
 * The words by grant type: one sentence for all causes of a type, because it must not reveal
 * whether a token ever existed. They are ASCII without quotes.
 */
const words = new Map<unknown, string>([
  [
    'refresh_token',
    'the refresh token is expired, revoked, was used before, or is not of this client: ' +
      'connect again, with a new authorization request',
  ],
  [
    'authorization_code',
    'the code is expired, was used before, or does not fit client, redirect_uri or ' +
      'code_verifier: connect again, with a new authorization request',
  ],
])

/** Some clients show nothing but these words to their user. */
export function explainRefusedGrants(): Middleware {
  return async (ctx, next) => {
    await next()
    const body: unknown = ctx.body
    if (typeof body !== 'object' || body === null || !('error_description' in body)) return
    const explained = words.get(ctx.oidc?.params?.grant_type)
    if (explained === undefined || body.error_description !== generic) return
    ctx.body = { ...body, error_description: explained }
  }
}

/**
 * CORS allows any origin, without credentials, because tokens and client secrets are presented
 * explicitly here and never by a cookie.
 */
export function allowAnyOrigin({ reply: { raw } }: { reply: Pick<FastifyReply, 'raw'> }): void {
  raw.setHeader('Access-Control-Allow-Origin', '*')
  raw.setHeader(
    'Access-Control-Expose-Headers',
    'WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id',
  )
}

const requestHeaders = 'Authorization, Content-Type, Accept, MCP-Protocol-Version'

export function preflight(methods: string) {
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    allowAnyOrigin({ reply })
    return reply
      .code(204)
      .header('Access-Control-Allow-Methods', methods)
      .header('Access-Control-Allow-Headers', requestHeaders)
      .header('Access-Control-Max-Age', '7200')
      .send()
  }
}
