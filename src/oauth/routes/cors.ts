// CORS: any origin, without credentials, as tokens and client secrets are presented explicitly here
// and never by a cookie.
import type { FastifyReply, FastifyRequest } from 'fastify'

export function allowAnyOrigin({ reply: { raw } }: { reply: Pick<FastifyReply, 'raw'> }): void {
  raw.setHeader('Access-Control-Allow-Origin', '*')
  raw.setHeader(
    'Access-Control-Expose-Headers',
    'WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id',
  )
}

const requestHeaders = 'Authorization, Content-Type, Accept, MCP-Protocol-Version'

export function preflight(methods: string) {
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    allowAnyOrigin({ reply })
    return reply
      .code(204)
      .header('Access-Control-Allow-Methods', methods)
      .header('Access-Control-Allow-Headers', requestHeaders)
      .header('Access-Control-Max-Age', '7200')
      .send()
  }
}
