// The routes of the authorization server, and the checks of each in the order in which they run,
// as oidc-provider lists its own (lib/actions). README.md has the same in words.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addPageHeaders } from '../provider/form-post-headers.ts'
import { guardOpenRedirects } from '../provider/open-redirect-guard.ts'
import {
  commitRedemption,
  expireCookiesByClock,
  type Middleware,
  type MiddlewareParts,
} from '../provider/provider.ts'
import { overlapRefreshes } from '../provider/refresh-overlap.ts'
import { routes, userinfoRoute } from '../shared/endpoints.ts'
import {
  addDefaultScopes,
  allowAnyOrigin,
  awaitProvider,
  type Check,
  cachePublicly,
  canonicalizeResources,
  type Exchange,
  explainRefusedGrants,
  forwardToLibrary,
  moveToPages,
  preflight,
  type RouteParts,
  rejectNul,
  respondConsentPage,
  respondSubmission,
  respondUserinfo,
  signOutOther,
  slowDownPolls,
  takeRateLimit,
} from './checks.ts'
import {
  completeDeviceResponse,
  fillInUserCode,
  limitGuesses,
  limitLinks,
  logInAtCode,
  refuseCrossSite,
  requireSession,
} from './device-checks.ts'
import { maxBodyBytes, sendOAuthError } from './oauth-error.ts'
import { pageErrorHandler } from './page-error-handler.ts'

/**
 * D stands for metadata and keys, A for an authorization request, P for the consent page, S for its
 * submission and R for its resumption.
 */
const [D, A, P, S, R] = ['document', 'authorize', 'page', 'submit', 'resume'] as const
/**
 * T stands for tokens, V for revocation, I for introspection and U for userinfo. Registration is in
 * clients/registration.ts.
 */
const [T, V, I, U] = ['token', 'revoke', 'introspect', 'userinfo'] as const
/**
 * In the device flow, Q stands for its request, N for its page for the code, B for the code that is
 * sent and E for the resumption.
 */
const [Q, N, B, E] = ['device_request', 'device_page', 'device_code', 'device_resume'] as const
type DeviceRoute = typeof Q | typeof N | typeof B | typeof E
type LibraryRoute = DeviceRoute | typeof D | typeof A | typeof R | typeof T | typeof V | typeof I
type Route = LibraryRoute | typeof P | typeof S | typeof U

/** The checks in order. Each may respond, and the last one of a route does. */
const checks: readonly (readonly [Check, ...Route[]])[] = [
  [rejectNul, D, A, P, S, R, T, V, I, U, Q, N, B, E],
  [takeRateLimit('document'), D],
  [takeRateLimit('authorize'), A, Q],
  [takeRateLimit('page'), P, R, N, E],
  [takeRateLimit('submit'), S, B],
  [takeRateLimit('token'), T, V, I, U],
  [allowAnyOrigin, D],
  [awaitProvider, D],
  [cachePublicly, D],
  [canonicalizeResources, A, T, Q],
  [moveToPages, A, N],
  [addDefaultScopes, A, Q],
  [fillInUserCode, N],
  [limitLinks, N],
  [refuseCrossSite, B],
  [limitGuesses, B],
  [requireSession, B],
  [logInAtCode, B],
  [slowDownPolls, T],
  [signOutOther, R, E],
  [respondConsentPage, P],
  [respondSubmission, S],
  [respondUserinfo, U],
  [forwardToLibrary, D, A, R, T, V, I, Q, N, B, E],
]

type NewMiddleware = (parts: MiddlewareParts) => Middleware

/** The middleware around all of the library comes next, the outermost first. */
const aroundLibrary: readonly (readonly [NewMiddleware, ...LibraryRoute[]])[] = [
  [expireCookiesByClock, A, R, N, E],
  [commitRedemption, D, A, R, T, V, I, Q, N, E],
  [addPageHeaders, A, R, N, E],
  [guardOpenRedirects, A],
  [explainRefusedGrants, T],
  [overlapRefreshes, T],
  [completeDeviceResponse, Q],
]

export const libraryMiddleware: readonly NewMiddleware[] = aroundLibrary.map(
  ([make, ...on]) =>
    (parts) => {
      const middleware = make(parts)
      return (ctx, next) => (on.includes(routeAt(ctx.path)) ? middleware(ctx, next) : next())
    },
)

/**
 * The route of one of the library's own paths. The page for the code and its submission have the
 * same path.
 */
function routeAt(path: string): LibraryRoute {
  if (path === routes.authorization) return A
  if (path.startsWith(`${routes.authorization}/`)) return R
  if (path === routes.device_authorization) return Q
  if (path === routes.code_verification) return N
  if (path.startsWith(`${routes.code_verification}/`)) return E
  if (path === routes.token) return T
  if (path === routes.revocation) return V
  return path === routes.introspection ? I : D
}

export function addRoutes(server: FastifyInstance, parts: RouteParts): void {
  server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, read) => {
      read(null, body)
    })
    addDocuments(scope, parts)
    addAuthorization(scope, parts)
    addDevicePages(scope, parts)
    addTokenEndpoints(scope, parts)
    done()
  })
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Runs the checks of a route. `target` is the URL that the library knows it by. */
function handlerOf(
  parts: RouteParts,
  route: Route,
  target: (request: FastifyRequest) => string,
): Handler {
  const own = checks.flatMap(([check, ...on]) => (on.includes(route) ? [check] : []))
  return async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : undefined
    const exchange: Exchange = { parts, request, reply, url: target(request), body }
    for (const check of own) if (await check(exchange)) return reply
    throw new Error(`No check of ${route} has responded`)
  }
}

/** Adds metadata (RFC 8414, OpenID Connect Discovery) and keys, the same at each of their paths. */
function addDocuments(scope: FastifyInstance, parts: RouteParts): void {
  const metadata = '/.well-known/oauth-authorization-server'
  // Clients that append the path of the protected resource ask here (a misreading of RFC 8414
  // section 3.1).
  const suffixes = ['', '/mcp', new URL(`${parts.app.settings.mcp_url}/mcp`).pathname]
  const paths = [...new Set(suffixes)].map((suffix) => `${metadata}${suffix}`)
  const add = (url: string, target: string) => {
    scope.options(url, preflight('GET, HEAD, OPTIONS'))
    scope.get(
      url,
      handlerOf(parts, D, () => target),
    )
  }
  for (const url of [...paths, '/.well-known/openid-configuration']) add(url, metadata)
  add(routes.jwks, routes.jwks)
}

const errorHandler = pageErrorHandler(
  'then reload this page, or connect the app again from where you came.',
)

/** Adds the routes for browsers, where errors are pages, too. */
function addAuthorization(scope: FastifyInstance, parts: RouteParts): void {
  const url = routes.authorization
  const page = { exposeHeadRoute: false, errorHandler }
  const authorize = handlerOf(parts, A, (request) => request.url)
  const consentPage = handlerOf(parts, P, () => url)
  scope.get(url, page, async (request, reply) => {
    const query: Record<string, unknown> = Object(request.query)
    return 'interaction' in query ? consentPage(request, reply) : authorize(request, reply)
  })
  const submit = handlerOf(parts, S, () => url)
  scope.post(url, { ...page, bodyLimit: maxBodyBytes }, submit)
  const resume = handlerOf(parts, R, ({ params }) => `${url}/${encodeURIComponent(uidOf(params))}`)
  scope.get(`${url}/:uid`, page, resume)
}

const deviceErrorHandler = pageErrorHandler('then enter the code again.')

/** Adds the routes for the browser of the device flow. */
function addDevicePages(scope: FastifyInstance, parts: RouteParts): void {
  const url = routes.code_verification
  const page = { exposeHeadRoute: false, errorHandler: deviceErrorHandler }
  scope.get(
    url,
    page,
    handlerOf(parts, N, (request) => request.url),
  )
  const submit = handlerOf(parts, B, () => url)
  scope.post(url, { ...page, bodyLimit: maxBodyBytes }, submit)
  const resume = handlerOf(parts, E, ({ params }) => `${url}/${encodeURIComponent(uidOf(params))}`)
  scope.get(`${url}/:uid`, page, resume)
}

function uidOf(params: unknown): string {
  const { uid = '' }: { uid?: string } = Object(params)
  return uid
}

/**
 * Adds the routes for clients. Errors are OAuth JSON, and any origin may read them, also before the
 * body is read.
 */
function addTokenEndpoints(scope: FastifyInstance, parts: RouteParts): void {
  const options = {
    bodyLimit: maxBodyBytes,
    onRequest: async (_request: FastifyRequest, reply: FastifyReply) =>
      void allowAnyOrigin({ reply }),
    errorHandler: sendOAuthError,
  }
  const add = (url: string, route: Route, target: string) => {
    scope.options(url, preflight('POST, OPTIONS'))
    scope.post(
      url,
      options,
      handlerOf(parts, route, () => target),
    )
  }
  for (const url of [routes.token, '/token']) add(url, T, routes.token)
  add(routes.device_authorization, Q, routes.device_authorization)
  add(routes.revocation, V, routes.revocation)
  add(routes.introspection, I, routes.introspection)
  const handler = handlerOf(parts, U, () => userinfoRoute)
  scope.options(userinfoRoute, preflight('GET, POST, OPTIONS'))
  scope.route({ method: ['GET', 'POST'], url: userinfoRoute, ...options, handler })
}
