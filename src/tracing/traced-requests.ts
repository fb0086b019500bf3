// The server span of each HTTP request, from its first hook to its last octet, which contains all
// work of the request. A caller's traceparent continues the caller's trace (W3C Trace Context).
import type { FastifyInstance } from 'fastify'
import { type Span, type Tracer, within } from '../kit/telemetry.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | null
  }
}

export function traceRequests(server: FastifyInstance, tracer: Tracer): void {
  server.decorateRequest('span', null)
  server.addHook('onRequest', (request, _reply, next) => {
    // The route's pattern instead of the URL, because paths and queries may contain names and
    // secrets.
    const route = request.routeOptions.url ?? '(none)'
    const parent = request.headers.traceparent?.toString()
    const work = {
      name: `${request.method} ${route}`,
      kind: 'server' as const,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'url.scheme': 'http',
        'agent_registrar.request_id': request.id,
      },
    }
    request.span = tracer.begin(work, parent)
    within(request.span, next)
  })
  // The body was read in the context of its connection.
  server.addHook('preValidation', (request, _reply, next) => {
    within(request.span ?? undefined, next)
  })
  server.addHook('onResponse', async (request, reply) => {
    const { span, error_code } = request
    span?.set({ 'http.response.status_code': reply.statusCode })
    if (reply.statusCode >= 500) span?.fail(error_code ?? String(reply.statusCode))
    span?.end()
  })
  // There is no response, because the client hung up.
  server.addHook('onRequestAbort', async ({ span }) => {
    span?.fail('aborted')
    span?.end()
  })
}
