// POST /oauth/register and /register: a client makes itself known (RFC 7591). It creates a client
// and nothing else. oidc-provider's own registration is not used: it takes far more than we have.
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { CommitUnknown, DatabaseUnavailable } from '../db/database.ts'
import { json } from '../db/statement.ts'
import { Fault } from '../kit/fault.ts'
import { newId } from '../kit/id.ts'
import { parseJson } from '../kit/json.ts'
import { hashSecret } from '../kit/secret.ts'
import { ClientRefused, readClient } from './client-fields.ts'
import { type ClientRoom, openClientRoom } from './client-room.ts'
import { newClientSecret } from './client-secret.ts'
import { keepClient } from './clients.sql.ts'
import type { Doors } from './doors.ts'
import { authMethods } from './offer.ts'

export const registrationPaths = ['/oauth/register', '/register']
const mostBody = 16_384

export type RegistrationParts = {
  app: Pick<App, 'db' | 'clock'>
  doors: Pick<Doors, 'admit' | 'addressOf'>
  room?: ClientRoom
}

/** A refusal in OAuth's form. The words are ASCII without quotes (RFC 6749 section 5.2). */
class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Record<string, string>

  constructor(status: number, code: string, said: { words: string; headers?: Refused['headers'] }) {
    super(said.words)
    this.name = 'Refused'
    this.status = status
    this.code = code
    this.headers = said.headers ?? {}
  }
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
    scope.setErrorHandler(answerRefusal)
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

function answerRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error)
  request.error_code = refusal.code
  if (refusal.status >= 500) request.cause = error
  return reply
    .code(refusal.status)
    .headers(refusal.headers)
    .type('application/json')
    .send({ error: refusal.code, error_description: refusal.message })
}

function refusalOf(error: unknown): Refused {
  if (error instanceof Refused) return error
  if (error instanceof ClientRefused) return new Refused(400, error.code, { words: error.message })
  if (error instanceof Fault) return ofFault(error)
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : ''
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Refused(413, 'invalid_request', { words: `The body is over ${mostBody} bytes` })
  // Fastify reads the header field before we do.
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return notJson()
  // A client that was kept after all is one that nobody uses.
  if (error instanceof DatabaseUnavailable || error instanceof CommitUnknown)
    return new Refused(503, 'temporarily_unavailable', {
      words: 'The database cannot be reached; try again',
      headers: { 'Retry-After': '1' },
    })
  return new Refused(500, 'server_error', { words: 'Something went wrong on our side' })
}

function ofFault({ status, message, headers }: Fault): Refused {
  const code =
    status === 429
      ? 'too_many_requests'
      : status >= 500
        ? 'temporarily_unavailable'
        : 'invalid_request'
  return new Refused(status, code, { words: message.replaceAll(/["\\]/g, ''), headers })
}
