// Lingering close of a response that comes before its request was read to the end. The rest of the
// body is read, up to a bound, before the connection ends.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * The most octets of an unused body that are read. The request's own limit of time holds for them
 * as well.
 */
const most_drained = 16_777_216

/**
 * This is an onSend hook. A socket that is closed with octets unread is reset, and the reset
 * discards the response where the client has not read it yet (RFC 9112 section 9.6). So the
 * response is sent whole at once, and is ended once the body was read.
 */
export async function endAfterBody(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const isWhole = typeof payload === 'string' || payload instanceof Uint8Array
  if (!isWhole || !isUnread(request.raw)) return payload
  reply.header('content-length', Buffer.byteLength(payload))
  return Readable.from(andThenRest(payload, request.raw), { objectMode: false })
}

function isUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
}

async function* andThenRest(payload: string | Uint8Array, body: IncomingMessage) {
  yield payload
  await drained(body)
}

/** Resolves when the body has ended, its connection has, or the bound is reached. */
function drained(body: IncomingMessage): Promise<void> {
  if (body.complete || body.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    let read = 0
    const end = () => {
      body.off('data', count).off('end', end).off('close', end)
      resolve()
    }
    const count = (chunk: Uint8Array) => {
      read += chunk.length
      if (read > most_drained) end()
    }
    // An "error" is followed by "close". Without a listener it would end the process.
    body.on('error', end).on('data', count).on('end', end).on('close', end)
  })
}
