// U+0000 in a request: PostgreSQL keeps it nowhere, and no parameter of OAuth may have it
// (RFC 6749 appendix A). Octets that are no UTF-8 are replaced when they are decoded.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { routes } from '../provider/endpoints.ts'
import { noticePage } from '../shared/page-layout.ts'

const words = 'a parameter contains the character U+0000'

const page = noticePage({
  status: 400,
  title: 'This request cannot be answered',
  message: `The program that sent you here sent what cannot be: invalid_request, ${words}.`,
  action:
    'Nothing was given to it. Go back to the program, and tell its makers if it happens again.',
})

/** A hook before the handlers: such a request goes no further. */
export async function rejectNul(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (!hasNul(request)) return undefined
  request.error_code = 'invalid_request'
  const isPage = request.url.startsWith(routes.authorization)
  const { status, headers, body } = isPage ? page : told
  return reply.code(status).headers(headers).send(body)
}

const told = {
  status: 400,
  headers: {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
  },
  body: JSON.stringify({ error: 'invalid_request', error_description: words }),
}

function hasNul({ url, body }: FastifyRequest): boolean {
  if (url.includes('%00')) return true
  return Buffer.isBuffer(body) && (body.includes('%00') || body.includes(0))
}
