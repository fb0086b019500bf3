// POST /oauth/register and /register: a client makes itself known (RFC 7591). It creates a client
// and nothing else. oidc-provider's own registration is not used: it takes far more than we have.
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { json } from '../../db/statement.ts'
import { newId } from '../../kit/id.ts'
import { parseJson } from '../../kit/json.ts'
import { hashSecret } from '../../kit/secret.ts'
import type { Doors } from '../host-ports.ts'
import { authMethods } from '../provider/endpoints.ts'
import { answerRefused, codeOf, mostBody, Refused, refusedBy } from '../routes/oauth-error.ts'
import { keepClient } from '../storage/clients.sql.ts'
import { ClientRefused, readClient } from './client-metadata.ts'
import { newClientSecret } from './client-secret.ts'
import { type ClientRoom, openClientRoom } from './registration-quota.ts'

export const registrationPaths = ['/oauth/register', '/register']

export type RegistrationParts = {
  app: Pick<App, 'db' | 'clock'>
  doors: Pick<Doors, 'admit' | 'addressOf'>
  room?: ClientRoom
}

/** Adds both paths, with their own reading of bodies and their own form of errors. */
export function addRegistration(server: FastifyInstance, parts: RegistrationParts): void {
  const room = parts.room ?? openClientRoom(parts.app.db)
  const routes: FastifyPluginCallback = (scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => {
      parsed(null, body)
    })
    scope.addHook('onRequest', async (_request, reply) => openToPages(reply))
    scope.setErrorHandler((error, request, reply) =>
      answerRefused(refusalOf(error), { error, request, reply }),
    )
    for (const url of registrationPaths) {
      scope.options(url, async (_request, reply) => preflight(reply))
      scope.post(url, { bodyLimit: mostBody }, async (request, reply) => {
        await parts.doors.admit(request, reply, 'register')
        const from = parts.doors.addressOf(request)
        const client = await register({ app: parts.app, room, from }, bodyOf(request))
        return reply.code(201).send(client)
      })
    }
    done()
  }
  server.register(routes)
}

/** Any page may register itself: there are no cookies in it, and nothing is told that is secret. */
function openToPages(reply: FastifyReply): void {
  reply.header('Access-Control-Allow-Origin', '*')
  reply.header('Access-Control-Expose-Headers', 'Retry-After, RateLimit, RateLimit-Policy')
}

function preflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .header('Access-Control-Allow-Methods', 'POST, OPTIONS')
    .header('Access-Control-Allow-Headers', 'Content-Type, Accept, MCP-Protocol-Version')
    .header('Access-Control-Max-Age', '7200')
    .send()
}

function bodyOf(request: FastifyRequest): unknown {
  const type = request.headers['content-type'] ?? ''
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (!/^application\/json\s*(;|$)/i.test(type) || encoding !== 'identity') throw notJson()
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array()
  const answer = parseJson(bytes)
  if ('problem' in answer)
    throw new Refused(400, 'invalid_client_metadata', { words: 'The body is not valid JSON' })
  return answer.value
}

function notJson(): Refused {
  return new Refused(415, 'invalid_request', { words: 'Send JSON as application/json' })
}

type Registering = { app: RegistrationParts['app']; room: ClientRoom; from: string }

async function register(
  { app, room, from }: Registering,
  said: unknown,
): Promise<Record<string, unknown>> {
  const fields = readClient(said, authMethods)
  if (!(await room()))
    throw new Refused(503, 'temporarily_unavailable', {
      words: 'Too many clients registered lately that nobody uses; try again later',
      headers: { 'Retry-After': '60' },
    })
  const now = app.clock.now()
  const client_id = newId('client', now.getTime())
  const client = { client_id, client_id_issued_at: Math.floor(now.getTime() / 1000), ...fields }
  const secret = fields.token_endpoint_auth_method === 'none' ? null : newClientSecret()
  const withSecret = (client_secret: string | undefined) =>
    client_secret === undefined ? client : { ...client, client_secret, client_secret_expires_at: 0 }
  // As the library's adapter finds it.
  const kept = json(withSecret(secret?.kept))
  await app.db.count(keepClient, [client_id, hashSecret(client_id), kept, from])
  return withSecret(secret?.shown)
}

function refusalOf(error: unknown): Refused {
  if (error instanceof ClientRefused) return new Refused(400, error.code, { words: error.message })
  // Fastify reads the header field before we do.
  if (codeOf(error) === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return notJson()
  return refusedBy(error)
}
