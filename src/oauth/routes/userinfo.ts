// The UserInfo endpoint, GET and POST /oauth/userinfo, has claims about the customer (OpenID
// Connect Core 1.0 section 5.3). It is our own, because the library's rejects every token that has
// an audience.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { customerById } from '../../capabilities/account/index.ts'
import { findAccessToken } from '../provider/access-tokens.ts'

type Parts = Pick<App, 'db' | 'settings'>

/**
 * Answers 200 with the claims that the token's scopes allow, or 401 and 403 as RFC 6750 section 3
 * defines them.
 */
export async function sendUserinfo(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const header = request.headers.authorization
  if (header === undefined) return sendError(request, reply, { status: 401, error: null })
  const token = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(header)?.[1]
  // The customer's identity belongs to every resource.
  const found = token === undefined ? undefined : await findAccessToken(parts, token)
  if (!found) return sendError(request, reply, { status: 401, error: 'invalid_token' })
  request.caller = found.caller
  const scopes = new Set(found.scope.split(' '))
  if (!scopes.has('openid'))
    return sendError(request, reply, { status: 403, error: 'insufficient_scope' })
  const { customer_id } = found
  const customer = await customerById(parts.db, customer_id)
  if (!customer) return sendError(request, reply, { status: 401, error: 'invalid_token' })
  const { name, email, email_verified } = customer
  return reply.send({
    sub: customer_id,
    ...(scopes.has('profile') ? { name } : {}),
    ...(scopes.has('email') ? { email, email_verified } : {}),
  })
}

type BearerError = { status: 401 | 403; error: 'invalid_token' | 'insufficient_scope' | null }

function sendError(request: FastifyRequest, reply: FastifyReply, { status, error }: BearerError) {
  request.error_code = error ?? 'unauthenticated'
  const parts = [
    ...(error === null ? [] : [`error="${error}"`]),
    ...(error === 'insufficient_scope' ? ['scope="openid"'] : []),
  ]
  const words = ['Bearer', parts.join(', ')].filter((part) => part !== '').join(' ')
  reply.code(status).header('WWW-Authenticate', words)
  return reply.send({ error: error ?? 'invalid_request' })
}
