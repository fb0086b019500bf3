// GET and POST /oauth/userinfo: who consented (OpenID Connect Core 1.0 section 5.3). Our own, as
// the library's refuses every token that has an audience.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { customerById } from '../../capabilities/account/index.ts'
import { mcpResource, restResource } from '../provider/audiences.ts'
import { type AccessToken, findAccessToken } from './access-token.ts'

type Parts = Pick<App, 'db' | 'settings'>

/**
 * 200 with the claims that the token's scopes allow; 401 and 403 as RFC 6750 section 3 has them.
 */
export async function answerUserinfo(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const shown = request.headers.authorization
  if (shown === undefined) return refuse(request, reply, { status: 401, error: null })
  const token = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(shown)?.[1]
  const found = token === undefined ? undefined : await tokenAnywhere(parts, token)
  if (!found) return refuse(request, reply, { status: 401, error: 'invalid_token' })
  request.caller = found.caller
  const scopes = new Set(found.scope.split(' '))
  if (!scopes.has('openid'))
    return refuse(request, reply, { status: 403, error: 'insufficient_scope' })
  const { customer_id } = found
  const customer = await customerById(parts.db, customer_id)
  if (!customer) return refuse(request, reply, { status: 401, error: 'invalid_token' })
  const { name, email, email_verified } = customer
  return reply.send({
    sub: customer_id,
    ...(scopes.has('profile') ? { name } : {}),
    ...(scopes.has('email') ? { email, email_verified } : {}),
  })
}

/** Who the customer is belongs to both resources. */
async function tokenAnywhere(parts: Parts, token: string): Promise<AccessToken | undefined> {
  const { settings } = parts
  for (const resource of [mcpResource(settings), restResource(settings)]) {
    const found = await findAccessToken(parts, token, resource)
    if (found) return found
  }
  return undefined
}

type Refusal = { status: 401 | 403; error: 'invalid_token' | 'insufficient_scope' | null }

function refuse(request: FastifyRequest, reply: FastifyReply, { status, error }: Refusal) {
  request.error_code = error ?? 'unauthenticated'
  const parts = [
    ...(error === null ? [] : [`error="${error}"`]),
    ...(error === 'insufficient_scope' ? ['scope="openid"'] : []),
  ]
  const words = ['Bearer', parts.join(', ')].filter((part) => part !== '').join(' ')
  reply.code(status).header('WWW-Authenticate', words)
  return reply.send({ error: error ?? 'invalid_request' })
}
