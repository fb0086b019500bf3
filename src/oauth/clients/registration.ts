// Dynamic client registration (RFC 7591): POST /oauth/register and /register. It creates a client
// and nothing else. oidc-provider's own registration is not used, because it accepts far more than
// we support.
import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { json } from '../../db/statement.ts'
import { classify } from '../../errors/classify.ts'
import { parseJson } from '../../kit/json.ts'
import { hashSecret, newId } from '../../kit/random.ts'
import type { HostPorts } from '../host-ports.ts'
import { allowAnyOrigin, preflight } from '../routes/checks.ts'
import { maxBodyBytes, OAuthError, sendOAuthError } from '../routes/oauth-error.ts'
import { authMethods } from '../shared/endpoints.ts'
import { insertClient } from '../storage/clients.sql.ts'
import { ClientMetadataError, parseClientMetadata } from './client-metadata.ts'
import { newClientSecret } from './client-secret.ts'
import { openRegistrationQuota, type RegistrationQuota } from './registration-quota.ts'

export const registrationPaths = ['/oauth/register', '/register']

export type RegistrationParts = {
  app: Pick<App, 'db' | 'clock'>
  ports: Pick<HostPorts, 'admit' | 'addressOf'>
  quota?: RegistrationQuota
}

/** Adds both paths, with a body parser and an error form of their own. */
export function addRegistration(server: FastifyInstance, parts: RegistrationParts): void {
  const quota = parts.quota ?? openRegistrationQuota(parts.app.db)
  const routes: FastifyPluginCallback = (scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => {
      parsed(null, body)
    })
    scope.addHook('onRequest', async (_request, reply) => allowAnyOrigin({ reply }))
    scope.setErrorHandler((error, request, reply) =>
      sendOAuthError(registrationError(error), request, reply),
    )
    for (const url of registrationPaths) {
      scope.options(url, preflight('POST, OPTIONS'))
      scope.post(url, { bodyLimit: maxBodyBytes }, async (request, reply) => {
        await parts.ports.admit(request, reply, 'register')
        const from = parts.ports.addressOf(request)
        const client = await register({ app: parts.app, quota, from }, bodyOf(request))
        return reply.code(201).send(client)
      })
    }
    done()
  }
  server.register(routes)
}

function bodyOf(request: FastifyRequest): unknown {
  const type = request.headers['content-type'] ?? ''
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (!/^application\/json\s*(;|$)/i.test(type) || encoding !== 'identity') throw notJson()
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array()
  const parsed = parseJson(bytes)
  if ('problem' in parsed)
    throw new OAuthError(400, 'invalid_client_metadata', { words: 'The body is not valid JSON' })
  return parsed.value
}

function notJson(): OAuthError {
  return new OAuthError(415, 'invalid_request', { words: 'Send JSON as application/json' })
}

/** `from` is the address, as rate limits count it. */
type Registering = { app: RegistrationParts['app']; quota: RegistrationQuota; from: string }

async function register(
  { app, quota, from }: Registering,
  metadata: unknown,
): Promise<Record<string, unknown>> {
  const fields = parseClientMetadata(metadata, authMethods)
  if (!(await quota()))
    throw new OAuthError(503, 'temporarily_unavailable', {
      words: 'Too many unused clients registered lately; try again later',
      headers: { 'Retry-After': '60' },
    })
  const now = app.clock.now()
  const client_id = newId('client', now.getTime())
  const client = { client_id, client_id_issued_at: Math.floor(now.getTime() / 1000), ...fields }
  const secret = fields.token_endpoint_auth_method === 'none' ? null : newClientSecret()
  const withSecret = (client_secret: string | undefined) =>
    client_secret === undefined ? client : { ...client, client_secret, client_secret_expires_at: 0 }
  // The payload has the form that the library's adapter finds.
  const payload = json(withSecret(secret?.hash))
  await app.db.count(insertClient, {
    client_id,
    id_hash: hashSecret(client_id),
    payload,
    registered_by: from,
  })
  return withSecret(secret?.secret)
}

function registrationError(error: unknown): unknown {
  if (error instanceof ClientMetadataError)
    return new OAuthError(400, error.code, { words: error.message })
  // Fastify reads the header field before we do.
  return classify(error).kind === 'unsupported_media_type' ? notJson() : error
}
