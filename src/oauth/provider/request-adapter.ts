// A request as oidc-provider reads it: our path, and the body that was read already, within our
// limits and in our form.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'

export type Rewritten = { url: string; body?: Buffer | undefined }

/** Stands before the raw request and changes nothing of it. */
export function toNodeRequest(request: FastifyRequest, { url, body }: Rewritten): IncomingMessage {
  const { 'transfer-encoding': _chunked, ...headers } = request.headers
  const octets = body ?? Buffer.alloc(0)
  const stream = Readable.from([octets])
  const view: IncomingMessage = Object.create(request.raw, {
    url: { value: url, writable: true },
    headers: { value: { ...headers, 'content-length': String(octets.length) } },
    readable: { value: true },
    iterator: { value: (options: object) => stream.iterator(options) },
  })
  return view
}
