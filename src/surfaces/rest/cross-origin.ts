// Cross-origin requests of web pages (CORS, Fetch standard section 3.2), from the origins of
// ALLOWED_ORIGINS to REST and MCP. Access-Control-Allow-Credentials is never sent, so browsers hide
// the response of a request with a cookie.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../config/config.ts'
import type { Route } from './routes.ts'

/** Request fields that pages set, beside those that need no permission. */
const allowedHeaders = [
  ...['Authorization', 'Content-Type', 'Accept', 'Idempotency-Key', 'If-Match', 'Last-Event-ID'],
  'X-Agent-Id',
  ...['PAYMENT-SIGNATURE', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
].join(', ')
const exposedHeaders = [
  ...['WWW-Authenticate', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id'],
  ...['Idempotent-Replayed', 'PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'Content-Disposition'],
].join(', ')
const max_age_s = '7200'

type Origins = Pick<Settings, 'allowed_origins'>

/**
 * Whether the pages of an origin are allowed. `origin` is written as the browser sends it; "null",
 * which a sandboxed page or a file has, is no origin.
 */
export function isAllowedOrigin({ allowed_origins }: Origins, origin: string): boolean {
  if (origin === 'null') return false
  return allowed_origins.includes('*') || allowed_origins.includes(origin)
}

type CrossOrigin = {
  settings: Origins
  /** Whether a path is REST's or MCP's. */
  covers: (path: string) => boolean
  routes: readonly Route[]
}

/**
 * Sets the header fields that let a page of an allowed origin read the response. It is called only
 * where there are such origins. True if the request was a preflight, which is answered then.
 */
export function allowOrigin(
  { settings, covers, routes }: CrossOrigin,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const path = request.url.split('?')[0] ?? ''
  if (!covers(path)) return false
  // Vary is set also without Origin, because a cache must not give this response to a page.
  reply.raw.setHeader('Vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || !isAllowedOrigin(settings, origin)) return false
  reply.raw.setHeader('Access-Control-Allow-Origin', origin)
  reply.raw.setHeader('Access-Control-Expose-Headers', exposedHeaders)
  const wanted = request.headers['access-control-request-method']
  const methods = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  if (request.method !== 'OPTIONS' || wanted === undefined || methods.length === 0) return false
  reply
    .code(204)
    .header('Access-Control-Allow-Methods', [...new Set(methods)].join(', '))
    .header('Access-Control-Allow-Headers', allowedHeaders)
    .header('Access-Control-Max-Age', max_age_s)
    .send()
  return true
}
