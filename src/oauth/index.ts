// The authorization server: OAuth 2.1 and OpenID Connect around oidc-provider. Clients get tokens
// with a customer's consent.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App, Caller, EntryPoint } from '../app.ts'
import { openMetadataClients } from './clients/metadata-documents/metadata-clients.ts'
import { purgeClients } from './clients/purge-clients.job.ts'
import { addRegistration } from './clients/registration.ts'
import type { DeviceLogIn } from './device/device-log-in.ts'
import { reportEndedConsents } from './ended/report-ended-consents.job.ts'
import type { HostPorts } from './host-ports.ts'
import { authenticateAccessTokens, explainAccessTokens } from './provider/access-tokens.ts'
import type { ProviderParts } from './provider/provider.ts'
import { openProviderInstance } from './provider/provider-instance.ts'
import { grantOperations } from './routes/grants.ts'
import { addRoutes, libraryMiddleware } from './routes/routes.ts'
import { endUnusedGrants } from './storage/end-unused-grants.job.ts'
import { purgeOAuthModels } from './storage/purge-expired-models.job.ts'

export type { OutboundNetwork } from '../kit/net/outbound-network.ts'
export type { HostPorts, PageCall, Quota, RateLimitGroup } from './host-ports.ts'
export { rotateKeysCommand } from './keys/keys.ts'
export { mcpResource, restResource } from './provider/audiences.ts'

export const operations = grantOperations
export const jobs = [purgeOAuthModels, endUnusedGrants, reportEndedConsents, purgeClients]

export type OAuth = {
  addRoutes: (server: FastifyInstance) => void
  /** Authenticates access tokens. Their audience must be the resource of the entry point. */
  authenticate: (token: string, at: { entry_point: EntryPoint }) => Promise<Caller | undefined>
  /** Explains why a token is refused. */
  explain: ReturnType<typeof explainAccessTokens>
  /** Loads the library, so that the first request need not wait for it. */
  warm: () => Promise<void>
  close: () => Promise<void>
}

export function openOAuth(app: App, ports: HostPorts): OAuth {
  const requests = new WeakMap<IncomingMessage, FastifyRequest>()
  const requestOf = (raw: IncomingMessage) => requests.get(raw)
  const addressOf = (raw: IncomingMessage) => {
    const request = requestOf(raw)
    return request ? ports.addressOf(request) : 'service'
  }
  const device_log_ins = new WeakMap<FastifyRequest, DeviceLogIn>()
  const provider = openProviderInstance({
    app,
    addressOf,
    device_log_ins: {
      of(raw) {
        const request = requestOf(raw)
        return request && device_log_ins.get(request)
      },
      async isLoggedIn(raw) {
        const request = requestOf(raw)
        return (request && (await ports.sessionOf(request)))?.kind === 'customer'
      },
    },
    middleware: libraryMiddleware,
    reportError: errorReporter(requestOf),
    documentsWith: ({ errors }) =>
      openMetadataClients({
        errors,
        sql: app.db,
        now_ms: () => app.clock.now().getTime(),
        count: ports.count,
        per_minute: Math.ceil(app.settings.client_registrations_per_hour / 6),
        ...(ports.outbound === undefined ? {} : { network: ports.outbound }),
        addressOf,
      }),
  })
  return {
    addRoutes(server) {
      addRoutes(server, { app, ports, provider, requests, device_log_ins })
      addRegistration(server, { app, ports })
    },
    authenticate: authenticateAccessTokens(app),
    explain: explainAccessTokens(app),
    warm: async () => {
      await provider.current()
    },
    close: () => provider.close(),
  }
}

/** Notes the OAuth error for the log line of its request, and the cause of a failure of ours. */
function errorReporter(
  requestOf: (raw: IncomingMessage) => FastifyRequest | undefined,
): ProviderParts['reportError'] {
  return ({ req }, error) => {
    const request = requestOf(req)
    if (!request) return
    const isShown = error.expose === true
    request.error_code = isShown ? (error.error ?? error.message) : 'server_error'
    if (!isShown || (error.statusCode ?? 0) >= 500) request.cause = error.cause ?? error
  }
}
