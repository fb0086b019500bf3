// The authorization server: how a program gets a customer's consent, and tokens with it (OAuth 2.1,
// OpenID Connect) around oidc-provider.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App, Caller, EntryPoint } from '../app.ts'
import { openMetadataClients } from './clients/metadata-documents/metadata-clients.ts'
import { purgeClients } from './clients/purge-clients.job.ts'
import { addRegistration } from './clients/registration.ts'
import type { HostPorts } from './host-ports.ts'
import type { ProviderParts } from './provider/provider.ts'
import { openProviders } from './provider/provider-instance.ts'
import { authenticateAccessTokens } from './routes/access-token.ts'
import { grantOperations } from './routes/grants.ts'
import { addRoutes } from './routes/routes.ts'
import { endUnusedGrants } from './storage/end-unused-grants.job.ts'
import { flushOAuthUses } from './storage/flush-grant-uses.job.ts'
import { purgeOAuthModels } from './storage/purge-expired-models.job.ts'

export type { OutboundNetwork } from './clients/metadata-documents/ssrf-safe-fetch.ts'
export type { HostPorts, Quota, RateLimitGroup } from './host-ports.ts'
export { rotateKeysCommand } from './keys/rotate-keys-command.ts'
export { mcpResource, restResource } from './provider/audiences.ts'

export const operations = grantOperations
export const jobs = [purgeOAuthModels, flushOAuthUses, endUnusedGrants, purgeClients]

export type OAuth = {
  addRoutes: (server: FastifyInstance) => void
  /** Reads access tokens; their audience must be the resource of the entry point. */
  authenticate: (token: string, at: { entry_point: EntryPoint }) => Promise<Caller | undefined>
  /** Does what the first request would wait for. */
  warm: () => Promise<void>
  close: () => Promise<void>
}

export function openOAuth(app: App, ports: HostPorts): OAuth {
  const requests = new WeakMap<IncomingMessage, FastifyRequest>()
  const requestOf = (raw: IncomingMessage) => requests.get(raw)
  const providers = openProviders({
    app,
    reportError: errorReporter(requestOf),
    documentsWith: ({ errors }) =>
      openMetadataClients({
        errors,
        sql: app.db,
        now_ms: () => app.clock.now().getTime(),
        count: ports.count,
        per_minute: Math.ceil(app.settings.client_registrations_per_hour / 6),
        ...(ports.outbound === undefined ? {} : { network: ports.outbound }),
        addressOf: (raw) => {
          const request = requestOf(raw)
          return request ? ports.addressOf(request) : 'service'
        },
      }),
  })
  return {
    addRoutes(server) {
      addRoutes(server, { app, ports, providers, requests })
      addRegistration(server, { app, ports })
    },
    authenticate: authenticateAccessTokens(app),
    warm: async () => {
      await providers.now()
    },
    close: () => providers.close(),
  }
}

/** The log line of a request says which error it was answered, and why it failed on our side. */
function errorReporter(
  requestOf: (raw: IncomingMessage) => FastifyRequest | undefined,
): ProviderParts['reportError'] {
  return ({ req }, error) => {
    const request = requestOf(req)
    if (!request) return
    const isTold = error.expose === true
    request.error_code = isTold ? (error.error ?? error.message) : 'server_error'
    if (!isTold || (error.statusCode ?? 0) >= 500) request.cause = error.cause ?? error
  }
}
