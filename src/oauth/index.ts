// The authorization server: how a program gets a customer's consent, and tokens with it (OAuth 2.1,
// OpenID Connect) around oidc-provider.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App, Caller, EntryPoint } from '../app.ts'
import { openClientDocuments } from './client-metadata.ts'
import type { Doors } from './doors.ts'
import { endUnusedGrants } from './end-unused.job.ts'
import { flushOAuthUses } from './flush-uses.job.ts'
import { forgetOAuthModels } from './forget.job.ts'
import { grantOperations } from './grants.ts'
import { addRoutes } from './mount.ts'
import type { ProviderParts } from './provider.ts'
import { openProviders } from './providers.ts'
import { purgeClients } from './purge-clients.job.ts'
import { recogniseAccessTokens } from './recognise.ts'
import { addRegistration } from './registration.ts'

export type { Doors, Place, Quota } from './doors.ts'
export type { OutsideDoor } from './guarded-fetch.ts'
export { mcpResource, restResource } from './resources.ts'
export { rotateKeysCommand } from './rotate-command.ts'

export const operations = grantOperations
export const jobs = [forgetOAuthModels, flushOAuthUses, endUnusedGrants, purgeClients]

export type OAuth = {
  addRoutes: (server: FastifyInstance) => void
  /** Reads access tokens; their audience must be the resource of the entry point. */
  recognise: (token: string, at: { entry_point: EntryPoint }) => Promise<Caller | undefined>
  /** Does what the first request would wait for. */
  warm: () => Promise<void>
  close: () => Promise<void>
}

export function openOAuth(app: App, doors: Doors): OAuth {
  const requests = new WeakMap<IncomingMessage, FastifyRequest>()
  const requestOf = (raw: IncomingMessage) => requests.get(raw)
  const providers = openProviders({
    app,
    noted: noting(requestOf),
    documentsWith: ({ errors }) =>
      openClientDocuments({
        errors,
        sql: app.db,
        now_ms: () => app.clock.now().getTime(),
        count: doors.count,
        per_minute: Math.ceil(app.settings.client_registrations_per_hour / 6),
        ...(doors.outside === undefined ? {} : { door: doors.outside }),
        addressOf: (raw) => {
          const request = requestOf(raw)
          return request ? doors.addressOf(request) : 'service'
        },
      }),
  })
  return {
    addRoutes(server) {
      addRoutes(server, { app, doors, providers, requests })
      addRegistration(server, { app, doors })
    },
    recognise: recogniseAccessTokens(app),
    warm: async () => {
      await providers.now()
    },
    close: () => providers.close(),
  }
}

/** The log line of a request says which error it was answered, and why it failed on our side. */
function noting(
  requestOf: (raw: IncomingMessage) => FastifyRequest | undefined,
): ProviderParts['noted'] {
  return ({ req }, error) => {
    const request = requestOf(req)
    if (!request) return
    const isTold = error.expose === true
    request.error_code = isTold ? (error.error ?? error.message) : 'server_error'
    if (!isTold || (error.statusCode ?? 0) >= 500) request.cause = error.cause ?? error
  }
}
