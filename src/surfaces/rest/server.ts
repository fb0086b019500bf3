// REST over Fastify leads the routes of the catalog to the pipeline, and writes the response and
// one log line.
import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Caller, Operation } from '../../app.ts'
import type { Settings } from '../../config/config.ts'
import { classify } from '../../errors/classify.ts'
import { routeNotFound, unsupportedMedia, uriTooLong } from '../../errors/faults.ts'
import type { Fault } from '../../kit/fault.ts'
import { parseJson } from '../../kit/json.ts'
import { ofEnvironment } from '../../oauth/shared/page-layout.ts'
import { publicUrls } from '../../origins.ts'
import { EventStream } from '../../replies/event-stream.ts'
import {
  draining,
  headersTooLarge,
  malformedRequest,
  methodNotAllowed,
} from '../pipeline/faults.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { faultResponse } from '../pipeline/response.ts'
import { InvalidRequest, strictPartOf } from '../pipeline/validate.ts'
import { allowOrigin } from './cross-origin.ts'
import { endpointPage } from './endpoint-page.ts'
import { slashedPaths, withoutFinalSlash } from './final-slash.ts'
import { missingPage } from './missing-page.ts'
import type { OpenStreams } from './open-streams.ts'
import {
  type AddressOf,
  browserFields,
  framingProblem,
  incomingRequest,
  noteReply,
  rejectBrokenRequest,
} from './request.ts'
import { collectRoutes, type Route } from './routes.ts'
import { send } from './send.ts'
import { endAfterBody } from './unread-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    cause: unknown
    error_code: string | null
    /** The time until a stream began. */
    began_ms: number | null
    /** The problem of a body that is not plain JSON. It is thrown after authorization. */
    bodyProblem: Error | null
  }
  interface FastifyContextConfig {
    /**
     * The part of a body whose texts the database must be able to hold. Without it, that is all of
     * the body.
     */
    strictPart?: (body: unknown) => unknown
    /** Whether the body stays bytes. */
    rawBody?: boolean
  }
}

export type RestParts = {
  settings: Settings
  pipeline: Pipeline
  operations: readonly Operation[]
  addressOf: AddressOf
  streams: OpenStreams
  /** Aborted before `shutdown`, so that balancers send their requests to other nodes. */
  leaving: AbortSignal
  /** Aborted once the service is stopping. */
  shutdown: AbortSignal
  log: (line: RequestLine) => void
}
export type RequestLine = {
  request_id: string
  method: string
  route: string
  status: number
  ms: number
  caller: Caller | null
  error_code: string | null
  cause: unknown
  /** The id of its trace, where it is traced. */
  trace_id?: string
}

/** Writes one line for each request. The cause of a failure of the service goes beside it. */
export function requestLogger(log: Logger): (line: RequestLine) => void {
  return ({ caller, cause, ...line }) => {
    const who = caller && 'customer_id' in caller ? caller.customer_id : (caller?.kind ?? null)
    const level = line.status >= 500 && line.error_code !== 'draining' ? 'error' : 'info'
    log[level]({ ...line, who, ...(cause ? { err: cause } : {}) }, 'request')
  }
}

/** The surface to which a route belongs, which is one of a few, or `none` without a route. */
export function surfaceOf(route: string, mcp_url: string): string {
  if (route.startsWith('/v1/')) return 'rest'
  if (route === new URL(`${mcp_url}/mcp`).pathname) return 'mcp'
  if (route === '(none)') return 'none'
  return /^\/(oauth|authorize|token|consent|log-in)\b/.test(route) ? 'oauth' : 'site'
}

const mostUrl = 8192
const mostHeaderBytes = 8192
const mostHeaders = 100
const usualBody = 65_536

/**
 * The HTTP server with all routes of the catalog. Other surfaces (MCP, documents) add theirs to it.
 */
export function openRest(parts: RestParts): FastifyInstance {
  const { settings, operations } = parts
  const slashed = slashedPaths(settings)
  const server = Fastify({
    rewriteUrl(request) {
      // Fastify sets it, and oidc-provider takes the text before the path for a root to answer
      // with: the host of an absolute request line, which anybody may write.
      Object.assign(request, { originalUrl: undefined })
      return withoutFinalSlash(request.url ?? '', slashed)
    },
    // Node's own cap is over ours, so that slightly longer headers get a problem document.
    http: { maxHeaderSize: 32_768, headersTimeout: 5_000, connectionsCheckingInterval: 1_000 },
    requestTimeout: 10_000,
    keepAliveTimeout: 10_000,
    bodyLimit: usualBody,
    logger: false,
    genReqId: () => randomUUID(),
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 1024 },
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: rejectBrokenRequest,
    // No hook runs for a path that does not decode, or is too long in one part.
    frameworkErrors(error, request, reply) {
      writeHeaders(request, reply, settings)
      const fault = framingFault(request, reply) ?? classify(error).fault
      send(request, reply, faultResponse(fault, request.id, publicUrls(settings)))
    },
  })
  server.server.requestTimeout = 10_000
  addParsers(server)
  const routes = collectRoutes(server)
  addHooks(server, parts, routes)
  for (const operation of operations) addRoute(server, operation, parts)
  addErrorHandlers(server, settings, routes)
  return server
}

/**
 * Reads every content type as bytes. Validation rejects a body that cannot be read, because it
 * comes after authentication and authorization.
 */
function addParsers(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    const type = request.headers['content-type'] ?? ''
    const encoded = request.headers['content-encoding'] ?? 'identity'
    if (body.length === 0) return done(null, undefined)
    if (request.routeOptions.config.rawBody) return done(null, body)
    if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type) || encoded !== 'identity') {
      request.bodyProblem = unsupportedMedia()
      return done(null, undefined)
    }
    const answer = parseJson(Buffer.from(body), request.routeOptions.config.strictPart)
    if ('problem' in answer) {
      const { at, msg } = answer.problem
      request.bodyProblem = new InvalidRequest([{ loc: ['body', at], msg, type: 'json_invalid' }])
      return done(null, undefined)
    }
    done(null, answer.value)
  })
}

function addHooks(server: FastifyInstance, parts: RestParts, routes: readonly Route[]): void {
  const { settings } = parts
  const covers = (path: string) => ['rest', 'mcp'].includes(surfaceOf(path, settings.mcp_url))
  const isCrossOrigin = settings.allowed_origins.length > 0
  server.decorateRequest('caller', null)
  server.decorateRequest('cause', null)
  server.decorateRequest('error_code', null)
  server.decorateRequest('began_ms', null)
  server.decorateRequest('bodyProblem', null)
  server.addHook('onRequest', async (request, reply) => {
    writeHeaders(request, reply, settings)
    if (isCrossOrigin && allowOrigin({ settings, covers, routes }, request, reply)) return reply
    if (parts.leaving.aborted) reply.raw.setHeader('Connection', 'close')
    const misframed = framingFault(request, reply)
    if (misframed) throw misframed
    if (request.raw.url !== undefined && request.raw.url.length > mostUrl) throw uriTooLong()
    const headers = request.raw.rawHeaders
    const bytes = headers.reduce((sum, text) => sum + text.length, 0)
    if (headers.length > 2 * mostHeaders || bytes > mostHeaderBytes) throw headersTooLarge()
    return undefined
  })
  server.addHook('onSend', endAfterBody)
  server.addHook('onResponse', async (request, reply) => {
    parts.log({
      request_id: request.id,
      method: request.method,
      // The line has the route's pattern and not the URL, because paths and queries may hold names
      // and secrets.
      route: request.routeOptions.url ?? '(none)',
      status: reply.statusCode,
      ms: Math.round((request.began_ms ?? reply.elapsedTime) * 10) / 10,
      caller: request.caller,
      error_code: request.error_code,
      cause: request.cause,
      ...(request.span && { trace_id: request.span.trace_id }),
    })
  })
}

/**
 * The fault of a request with faulty framing, which ends its connection, because the next octets
 * are perhaps no request (RFC 9112 section 11.2).
 */
function framingFault(request: FastifyRequest, reply: FastifyReply): Fault | undefined {
  const problem = framingProblem(request.raw)
  if (problem === undefined) return undefined
  reply.raw.setHeader('Connection', 'close')
  return malformedRequest({ detail: problem })
}

/** Writes the header fields of every response. */
function writeHeaders(request: FastifyRequest, reply: FastifyReply, settings: Settings): void {
  noteReply(reply)
  reply.raw.setHeader('X-Request-Id', request.id)
  reply.raw.setHeader('X-Content-Type-Options', 'nosniff')
  reply.raw.setHeader('Cache-Control', 'no-store')
  reply.raw.setHeader('Referrer-Policy', 'no-referrer')
  if (settings.base_url.startsWith('https:'))
    reply.raw.setHeader('Strict-Transport-Security', 'max-age=31536000')
}

function addRoute(server: FastifyInstance, operation: Operation, parts: RestParts): void {
  server.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(operation.max_body_bytes === undefined ? {} : { bodyLimit: operation.max_body_bytes }),
    // HEAD is safe, so it must not have an effect (RFC 9110 section 9.2.1).
    exposeHeadRoute: operation.effect === 'none',
    config: {
      strictPart: (body) => strictPartOf(operation, body),
      rawBody: operation.raw_body === true,
    },
    handler: async (request, reply) => {
      const isReadiness = operation.name === 'get_health'
      if ((isReadiness ? parts.leaving : parts.shutdown).aborted)
        throw draining({ retry_after_s: 1 })
      const browser = browserFields(request)
      const incoming = { ...incomingRequest(request, parts.addressOf), browser }
      const response = await parts.pipeline.call(operation, incoming)
      request.caller = response.caller
      if (response.body instanceof EventStream)
        return parts.streams.send({ request, reply, stream: response.body, response })
      return send(request, reply, { ...response, operation })
    },
  })
}

/**
 * Responds to requests that reach no operation: there is no such route, the body is over the limit,
 * or the path does not decode.
 */
function addErrorHandlers(server: FastifyInstance, settings: Settings, routes: Route[]): void {
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const allowed = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    const fault =
      // The dashboard's route has the method, and may have no such file.
      allowed.length === 0 || allowed.includes(request.method)
        ? routeNotFound()
        : methodNotAllowed({ headers: { Allow: allowed.join(', ') } })
    const page =
      endpointPage(settings, request, fault.status) ??
      (fault.status === 404 ? missingPage(settings, request) : undefined)
    if (page) {
      request.error_code = fault.type.code
      return reply
        .code(page.status)
        .headers({ ...fault.headers, ...page.headers })
        .send(ofEnvironment(page, settings).body)
    }
    return send(request, reply, faultResponse(fault, request.id, publicUrls(settings)))
  })
  server.setErrorHandler((error, request, reply) => {
    const { fault } = classify(error)
    return send(request, reply, faultResponse(fault, request.id, publicUrls(settings)))
  })
}
