// GET /metrics for Prometheus: a protocol endpoint beside the pipeline, read with METRICS_TOKEN.
import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { fault } from '../kit/fault.ts'
import { invalidToken, unauthenticated } from '../surfaces/pipeline/faults.ts'
import { isMetricsToken } from '../surfaces/pipeline/metrics-token.ts'
import type { Metrics } from './metrics.ts'

const metricsNotConfigured = fault('metrics_not_configured', 'unavailable', {
  sentence: 'This node counts no metrics, as METRICS_TOKEN is not set.',
  hint: 'An operator must set METRICS_TOKEN and restart the node.',
  next: 'contact_support',
  retryable: false,
})

/** With `metrics` null, every scrape is answered by 503. */
export function addMetrics(
  server: FastifyInstance,
  { app, metrics }: { app: App; metrics: Metrics | null },
): void {
  server.get('/metrics', { exposeHeadRoute: false }, async (request, reply) => {
    if (!metrics) throw metricsNotConfigured()
    const { authorization } = request.headers
    if (authorization === undefined) throw unauthenticated()
    if (!isMetricsToken(app.settings, authorization)) throw invalidToken()
    const { type, text } = await metrics.scrape(app)
    return reply.type(type).send(text)
  })
}
