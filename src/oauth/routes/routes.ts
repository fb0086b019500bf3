// The routes of the authorization server on our HTTP server. The library answers on the raw
// connection, so what every answer carries is set there, before it is asked.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { showInteraction, submitInteraction } from '../consent/interaction.ts'
import { signOutOtherAccount } from '../consent/interaction-state.ts'
import type { HostPorts, InteractionContext, RateLimitGroup } from '../host-ports.ts'
import { withCanonicalResources } from '../provider/audiences.ts'
import { routes, userinfoRoute } from '../provider/endpoints.ts'
import type { Providers } from '../provider/provider-instance.ts'
import { toNodeRequest } from '../provider/request-adapter.ts'
import { maxBodyBytes, oauthErrorOf, sendOAuthError } from './oauth-error.ts'
import { pageErrorHandler } from './page-error-handler.ts'
import { rejectNul } from './reject-nul.ts'
import { answerUserinfo } from './userinfo.ts'

export type RouteParts = {
  app: App
  ports: HostPorts
  providers: Providers
  /** Which of our requests the library's one is. */
  requests: WeakMap<IncomingMessage, FastifyRequest>
}

// Below the ten minutes that a new key is published before it signs.
const document = 'public, max-age=300'

export function addRoutes(server: FastifyInstance, parts: RouteParts): void {
  server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, read) => {
      read(null, body)
    })
    scope.addHook('preHandler', rejectNul)
    addDocuments(scope, parts)
    addAuthorization(scope, parts)
    addTokens(scope, parts)
    addUserinfo(scope, parts)
    done()
  })
}

/** Metadata (RFC 8414, OpenID Connect Discovery) and keys: the same at every place. */
function addDocuments(scope: FastifyInstance, parts: RouteParts): void {
  const metadata = '/.well-known/oauth-authorization-server'
  // Clients that follow the protected resource's path look here (RFC 8414 section 3.1 as misread).
  const paths = ['', '/mcp', new URL(`${parts.app.settings.mcp_url}/mcp`).pathname]
  const places = [...new Set(paths)].map((path) => `${metadata}${path}`)
  for (const url of [...places, '/.well-known/openid-configuration'])
    addDocument(scope, parts, { url, from: metadata })
  addDocument(scope, parts, { url: routes.jwks, from: routes.jwks })
}

function addDocument(
  scope: FastifyInstance,
  parts: RouteParts,
  { url, from }: { url: string; from: string },
): void {
  addPreflight(scope, url, 'GET, HEAD, OPTIONS')
  scope.get(url, async (request, reply) => {
    await parts.ports.admit(request, reply, 'document')
    allowAnyOrigin(reply)
    // An outage is no document: nobody may keep it.
    await parts.providers.now()
    reply.raw.setHeader('Cache-Control', document)
    return pass(parts, { request, reply, url: from })
  })
}

const errorHandler = pageErrorHandler(
  'then load this page again, or connect the program anew from where you came.',
)

/** What people see: also what goes wrong here is told on a page. */
function addAuthorization(scope: FastifyInstance, parts: RouteParts): void {
  const url = routes.authorization
  const page = { exposeHeadRoute: false, errorHandler }
  scope.get(url, page, async (request, reply) => {
    const query: Record<string, unknown> = Object(request.query)
    if ('interaction' in query)
      return showInteraction(await interactionContext(parts, 'page', { request, reply }))
    await parts.ports.admit(request, reply, 'authorize')
    return pass(parts, { request, reply, url: `${url}?${withDefaultScopes(parts, request)}` })
  })
  scope.post(url, { ...page, bodyLimit: maxBodyBytes }, async (request, reply) => {
    return submitInteraction(await interactionContext(parts, 'submit', { request, reply }))
  })
  // The way back from our page.
  scope.get(`${url}/:uid`, page, async (request, reply) => {
    const context = await interactionContext(parts, 'page', { request, reply })
    const { uid = '' }: { uid?: string } = Object(request.params)
    await signOutOtherAccount(context, uid)
    return pass(parts, { request, reply, url: `${url}/${encodeURIComponent(uid)}` })
  })
}

/** The parameters, with our scopes where it names none: the library would refuse it. */
function withDefaultScopes({ app, ports }: RouteParts, request: FastifyRequest): URLSearchParams {
  const params = withCanonicalResources(
    app.settings,
    new URL(request.url, 'http://any').searchParams,
  )
  if (params.getAll('scope').every((scope) => scope.trim() === ''))
    params.set('scope', ports.default_scopes.join(' '))
  return params
}

async function interactionContext(
  { app, ports, providers }: RouteParts,
  place: RateLimitGroup,
  { request, reply }: Pick<InteractionContext, 'request' | 'reply'>,
): Promise<InteractionContext> {
  await ports.admit(request, reply, place)
  const { provider } = await providers.now()
  return { app, provider, request, reply, address: ports.addressOf(request) }
}

function addTokens(scope: FastifyInstance, parts: RouteParts): void {
  const { token, revocation, introspection } = routes
  const aliases = [
    [token, token],
    ['/token', token],
  ]
  const own = [
    [revocation, revocation],
    [introspection, introspection],
  ]
  for (const [url = '', target = ''] of [...aliases, ...own]) {
    addPreflight(scope, url, 'POST, OPTIONS')
    scope.post(url, forPrograms, async (request, reply) => {
      await parts.ports.admit(request, reply, 'token')
      const body = target === token ? plainBody(parts, request) : bodyOf(request)
      return pass(parts, { request, reply, url: target, body })
    })
  }
}

function bodyOf({ body }: FastifyRequest): Buffer | undefined {
  return Buffer.isBuffer(body) ? body : undefined
}

function plainBody({ app }: RouteParts, request: FastifyRequest): Buffer | undefined {
  const body = bodyOf(request)
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i
  if (!body?.includes('resource') || !isForm.test(request.headers['content-type'] ?? ''))
    return body
  const params = new URLSearchParams(body.toString())
  return Buffer.from(withCanonicalResources(app.settings, params).toString())
}

function addUserinfo(scope: FastifyInstance, { app, ports }: RouteParts): void {
  addPreflight(scope, userinfoRoute, 'GET, POST, OPTIONS')
  scope.route({
    method: ['GET', 'POST'],
    url: userinfoRoute,
    ...forPrograms,
    async handler(request, reply) {
      await ports.admit(request, reply, 'token')
      return answerUserinfo(app, request, reply)
    },
  })
}

/** Any page may ask: what it shows it has in its own hands, never in a cookie. */
function allowAnyOrigin({ raw }: FastifyReply): void {
  raw.setHeader('Access-Control-Allow-Origin', '*')
  raw.setHeader(
    'Access-Control-Expose-Headers',
    'WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id',
  )
}

/** A hook before the body is read, so that pages may read what is said of a body that is none. */
async function openFirst(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  allowAnyOrigin(reply)
}

/** What the endpoints that programs read have in common. */
const forPrograms = {
  bodyLimit: maxBodyBytes,
  onRequest: openFirst,
  errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendOAuthError(oauthErrorOf(error), { error, request, reply }),
}

function addPreflight(scope: FastifyInstance, url: string, methods: string): void {
  scope.options(url, async (_request, reply) => {
    allowAnyOrigin(reply)
    return reply
      .code(204)
      .header('Access-Control-Allow-Methods', methods)
      .header('Access-Control-Allow-Headers', 'Authorization, Content-Type, MCP-Protocol-Version')
      .header('Access-Control-Max-Age', '7200')
      .send()
  })
}

type Passed = {
  request: FastifyRequest
  reply: FastifyReply
  /** Path and query as the library knows them. */
  url: string
  body?: Buffer | undefined
}

/** The library's answer. Our hooks have run; the one that logs runs when it is sent. */
async function pass(
  { providers, requests }: RouteParts,
  { request, reply, url, body }: Passed,
): Promise<FastifyReply> {
  const { answer } = await providers.now()
  const view = toNodeRequest(request, { url, body })
  requests.set(view, request)
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  reply.hijack()
  await answer(view, reply.raw)
  return reply
}
