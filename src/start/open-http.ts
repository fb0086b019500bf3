// How the outside gets in: who is authenticated in which order, and every surface on one HTTP
// server.
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { App } from '../app.ts'
import {
  apiKeyPrefix,
  authenticateApiKeys,
  authenticateOperators,
  operatorKeyPrefix,
} from '../capabilities/api-keys/index.ts'
import { authenticateSessions, sessionPrefix } from '../capabilities/sign-in/index.ts'
import { operationsIn } from '../catalog.ts'
import { type OAuth, type OutboundNetwork, openOAuth } from '../oauth/index.ts'
import { addDocuments } from '../surfaces/documents/api-documents.ts'
import { addDiscovery } from '../surfaces/documents/discovery.ts'
import { openClientNames } from '../surfaces/mcp/client-names.ts'
import { addMcp } from '../surfaces/mcp/endpoint.ts'
import { addPasswordPage } from '../surfaces/pages/password-page.ts'
import { addressReader } from '../surfaces/pipeline/client-address.ts'
import { draining as stopping } from '../surfaces/pipeline/faults.ts'
import { openPipeline } from '../surfaces/pipeline/pipeline.ts'
import { openLimits } from '../surfaces/pipeline/rate-limits.ts'
import { oauthHostPorts } from '../surfaces/rest/oauth-host.ts'
import { openRest, type RequestLine } from '../surfaces/rest/server.ts'

export type Entrance = {
  server: FastifyInstance
  oauth: OAuth
  /** From then on this node takes no new request. */
  drain: () => Promise<void>
  /** Waits for those under way, for as long as the settings say; then it ends their connections. */
  close: () => Promise<void>
}

export type EntranceOptions = {
  /** Where client metadata documents are, for tests. */
  outbound: OutboundNetwork | undefined
  /** Frees the port, just before it is listened at. */
  free: () => Promise<void>
}

/** Listens with all routes. */
export async function openEntrance(
  app: App,
  { outbound, free }: EntranceOptions,
): Promise<Entrance> {
  let draining = false
  const isDraining = () => draining
  const { settings } = app
  const operations = operationsIn(settings.environment)
  const limits = openLimits(app.db)
  const addressOf = addressReader(settings.trusted_proxies)
  const oauth = openOAuth(app, {
    ...oauthHostPorts({ settings, limits, operations, addressOf, isDraining }),
    ...(outbound === undefined ? {} : { outbound }),
  })
  const authenticators = [
    { prefix: apiKeyPrefix(settings.environment), authenticate: authenticateApiKeys(app) },
    { prefix: operatorKeyPrefix, authenticate: authenticateOperators(app) },
    { prefix: sessionPrefix, authenticate: authenticateSessions(app) },
    // Without a prefix, so the last.
    { prefix: '', authenticate: oauth.authenticate },
  ]
  const pipeline = openPipeline({ app, authenticators, limits })
  const log = (line: RequestLine) => logRequest(app.log, line)
  const parts = { settings, pipeline, operations, addressOf, isDraining, log }
  const server = openRest(parts)
  addMcp(server, { ...parts, names: openClientNames(app.db) })
  addPasswordPage(server, { ...parts, app })
  oauth.addRoutes(server)
  server.register((scope, _options, ready) => {
    scope.addHook('onRequest', async () => {
      if (isDraining()) throw stopping({ retry_after_s: 1 })
    })
    addDiscovery(scope, { settings, operations })
    addDocuments(scope, { settings, operations })
    ready()
  })
  await server.ready()
  await free()
  await server.listen({ host: settings.host, port: settings.port })
  return {
    server,
    oauth,
    drain: async () => {
      draining = true
    },
    close: () => closeWithin(server, settings.drain_ms),
  }
}

/** Who was just answered keeps the connection for the next request, which is not to come. */
async function closeWithin(server: FastifyInstance, most_ms: number): Promise<void> {
  const idle = setInterval(() => server.server.closeIdleConnections(), 50)
  const cut = setTimeout(() => server.server.closeAllConnections(), most_ms)
  await server.close().finally(() => {
    clearInterval(idle)
    clearTimeout(cut)
  })
}

/** One line for each request; the cause of a failure of ours beside it. */
function logRequest(log: Logger, { caller, cause, ...line }: RequestLine): void {
  const who = caller && 'customer_id' in caller ? caller.customer_id : (caller?.kind ?? null)
  const level = line.status >= 500 && line.error_code !== 'draining' ? 'error' : 'info'
  log[level]({ ...line, who, ...(cause ? { err: cause } : {}) }, 'request')
}
