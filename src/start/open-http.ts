// The HTTP server with every surface on it, and the order of the authenticators.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { App, Operation } from '../app.ts'
import {
  apiKeyPrefix,
  authenticateApiKeys,
  explainApiKeys,
} from '../capabilities/api-keys/index.ts'
import {
  authenticateOperatorSessions,
  authenticateOperators,
  operatorKeyPrefix,
} from '../capabilities/operators/index.ts'
import {
  authenticateSessions,
  explainSessions,
  sessionPrefix,
} from '../capabilities/sign-in/index.ts'
import { operationsIn } from '../catalog.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { addMetrics } from '../metrics/metrics-route.ts'
import { type OAuth, type OutboundNetwork, openOAuth } from '../oauth/index.ts'
import { type Limits, openLimits } from '../rate-limits/leased-quotas.ts'
import type { DashboardBuild } from '../surfaces/dashboard/dashboard-build.ts'
import { addDashboard } from '../surfaces/dashboard/dashboard-routes.ts'
import { addDocuments } from '../surfaces/documents/api-documents.ts'
import { addDiscovery } from '../surfaces/documents/discovery.ts'
import { openClientNames } from '../surfaces/mcp/client-names.ts'
import { addMcp } from '../surfaces/mcp/endpoint.ts'
import { addPasswordPage } from '../surfaces/pages/password-page.ts'
import { openCookieAuthenticator } from '../surfaces/pipeline/cookie-authentication.ts'
import { draining } from '../surfaces/pipeline/faults.ts'
import { openPipeline, type Pipeline } from '../surfaces/pipeline/pipeline.ts'
import { oauthHostPorts } from '../surfaces/rest/oauth-host.ts'
import { OpenStreams } from '../surfaces/rest/open-streams.ts'
import { addressReader } from '../surfaces/rest/request.ts'
import { openRest, requestLogger } from '../surfaces/rest/server.ts'
import { traceRequests } from '../tracing/traced-requests.ts'
import { tracedPipeline } from '../tracing/tracing.ts'

type HttpServer = {
  server: FastifyInstance
  oauth: OAuth
  /**
   * /ready and health answer 503 at once, while other requests are still taken for the settings'
   * delay; from then on this node rejects new requests with 503.
   */
  drain: () => Promise<void>
  /** Waits for requests under way, up to the settings' limit; then it ends their connections. */
  close: () => Promise<void>
}

type HttpServerOptions = {
  /** Where client metadata documents are, for tests. */
  outbound: OutboundNetwork | undefined
  dashboard: DashboardBuild
  metrics: Metrics | null
  /** Releases the reserved port, just before the server listens on it. */
  releasePort: () => Promise<void>
}

/** Listens with all routes. */
export async function openHttp(app: App, options: HttpServerOptions): Promise<HttpServer> {
  const leaving = new AbortController()
  const shutdown = new AbortController()
  const { settings } = app
  const { metrics } = options
  const operations = operationsIn(settings.environment)
  const limits = openLimits(app.db)
  const addressOf = addressReader(settings.trusted_proxies)
  const readSession = authenticateSessions(app)
  const oauth = openOAuth(app, {
    ...oauthHostPorts({
      ...{ settings, limits, operations, addressOf, readSession },
      shutdown: shutdown.signal,
      pipeline: () => pipeline,
    }),
    ...(options.outbound === undefined ? {} : { outbound: options.outbound }),
  })
  const opened = openRequestPipeline(app, { readSession, oauth, limits })
  const measured = metrics?.watchPipeline(opened) ?? opened
  const pipeline = app.tracer ? tracedPipeline(measured) : measured
  const write = requestLogger(app.log)
  const log = metrics?.watchRequests(write) ?? write
  const streams = new OpenStreams(app, shutdown.signal)
  const served = { settings, pipeline, operations, addressOf, streams }
  const parts = { ...served, leaving: leaving.signal, shutdown: shutdown.signal, log }
  const server = openRest(parts)
  if (app.tracer) traceRequests(server, app.tracer)
  addMcp(server, { ...parts, names: openClientNames(app.db) })
  addPasswordPage(server, { ...parts, app })
  addMetrics(server, { app, metrics })
  // Load balancers ask this. Unlike health it has no limit and makes no query: one balancer asks
  // every node, and a database that is down for all of them makes no node less ready than another.
  server.get('/ready', async () => {
    if (leaving.signal.aborted) throw draining({ retry_after_s: 1 })
    return { ready: true }
  })
  oauth.addRoutes(server)
  addStaticDocuments(server, { app, operations, options, shutdown: shutdown.signal })
  await server.ready()
  await options.releasePort()
  await server.listen({ host: settings.host, port: settings.port })
  // The server reports a connection that it cannot accept, as where no file descriptors are left.
  server.server.on('error', (error) => app.log.error({ err: error }, 'error on the HTTP server'))
  return {
    server,
    oauth,
    drain: async () => {
      leaving.abort()
      if (settings.drain_delay_ms > 0) await sleep(settings.drain_delay_ms)
      shutdown.abort()
      app.eventWaits.end()
    },
    close: async () => {
      await app.webhookSenders.stop()
      await closeWithin(server, settings.drain_ms)
    },
  }
}

type Callers = {
  readSession: ReturnType<typeof authenticateSessions>
  oauth: OAuth
  limits: Limits
}

/** The pipeline with every way to authenticate, in the order in which they are tried. */
function openRequestPipeline(app: App, { readSession, oauth, limits }: Callers): Pipeline {
  const { settings } = app
  const authenticators = [
    {
      prefix: apiKeyPrefix(settings.environment),
      authenticate: authenticateApiKeys(app),
      explain: explainApiKeys(app),
    },
    { prefix: operatorKeyPrefix, authenticate: authenticateOperators(app) },
    { prefix: sessionPrefix, authenticate: readSession, explain: explainSessions(app) },
    // OAuth tokens have no prefix, so they come last.
    { prefix: '', authenticate: oauth.authenticate, explain: oauth.explain },
  ]
  const cookies = openCookieAuthenticator(settings, {
    customer: readSession,
    operator: authenticateOperatorSessions(app),
  })
  return openPipeline({ app, authenticators, cookies, limits })
}

type Documents = {
  app: App
  operations: readonly Operation[]
  options: HttpServerOptions
  shutdown: AbortSignal
}

/** Discovery, documentation and dashboard, which this node stops serving when it shuts down. */
function addStaticDocuments(server: FastifyInstance, parts: Documents): void {
  const { app, operations, options, shutdown } = parts
  const { settings } = app
  server.register((scope, _options, ready) => {
    scope.addHook('onRequest', async () => {
      if (shutdown.aborted) throw draining({ retry_after_s: 1 })
    })
    addDiscovery(scope, { settings, operations })
    addDocuments(scope, { settings, operations })
    addDashboard(scope, { settings, build: options.dashboard })
    ready()
  })
}

/** Clients keep idle connections for a next request, which this node would refuse. */
async function closeWithin(server: FastifyInstance, most_ms: number): Promise<void> {
  const idle = setInterval(() => server.server.closeIdleConnections(), 50)
  const cut = setTimeout(() => server.server.closeAllConnections(), most_ms)
  await server.close().finally(() => {
    clearInterval(idle)
    clearTimeout(cut)
  })
}
