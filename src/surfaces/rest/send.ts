// Writes the answer of the pipeline as JSON, a file or a stream. A long list is compressed as it is
// streamed.
import { pipeline, Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../app.ts'
import { Download } from '../../replies/download.ts'
import { Listing } from '../../replies/listing.ts'
import type { ApiResponse } from '../pipeline/response.ts'
import { type Coding, codingFor } from './content-coding.ts'

/**
 * Shorter lists are not compressed, because they are few packets, and each compression costs CPU.
 */
const least_list_characters = 100_000

/**
 * Sends an answer. `operation` is the one that answers, or undefined for a request that reached
 * none.
 */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { operation, ...answer }: ApiResponse & { operation?: Operation },
): FastifyReply {
  request.error_code = answer.error_code
  request.cause = answer.cause ?? null
  reply.code(answer.status).headers(answer.headers)
  const { body } = answer
  if (body instanceof Download) {
    const { content } = body
    const isWhole = typeof content === 'string' || content instanceof Uint8Array
    return reply.send(isWhole ? content : streamOf(content, request))
  }
  if (body === undefined) return reply.send()
  const content = body instanceof Listing ? body.json() : JSON.stringify(body)
  const isLong = typeof content !== 'string' || content.length > least_list_characters
  if (isLong && operation && isCompressible(operation))
    return sendLong(request, reply, typeof content === 'string' ? [content] : content)
  return reply.send(typeof content === 'string' ? content : streamOf(content, request))
}

type Content = AsyncIterable<string> | Iterable<string>

function sendLong(request: FastifyRequest, reply: FastifyReply, content: Content): FastifyReply {
  const plain = streamOf(content, request)
  addVary(reply)
  const coding = codingFor(request.headers['accept-encoding']?.toString())
  if (coding === 'identity' || request.method !== 'GET') return reply.send(plain)
  reply.header('Content-Encoding', coding)
  // A failure of the list ends the encoder without its last block, and so the connection.
  return reply.send(
    pipeline(plain, encoder(coding), (error) => {
      request.cause ??= error ?? null
    }),
  )
}

/** Cross-origin requests have set it to Origin. */
function addVary(reply: FastifyReply): void {
  const known = reply.raw.getHeader('Vary')
  reply.raw.setHeader('Vary', [known, 'Accept-Encoding'].filter(Boolean).join(', '))
}

/**
 * The encoder has a low quality, because each answer is compressed anew, on a thread beside the
 * event loop.
 */
function encoder(coding: Exclude<Coding, 'identity'>) {
  if (coding === 'gzip') return createGzip({ level: 3 })
  return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })
}

const secrets = /"(?:\w*(?:secret|password|auth_code|_token)\w*|api_key|ticket)":\{/

/**
 * Whether the answers of an operation may be compressed: it only reads, and no field of them is a
 * secret, which the length of a compressed answer could give away where somebody else chooses part
 * of it (BREACH).
 */
export function isCompressible({ effect, gives }: Operation): boolean {
  return effect === 'none' && !secrets.test(JSON.stringify(gives ?? {}))
}

/** A failure after the first octets can only end the connection; the log has its cause. */
function streamOf(content: Content, request: FastifyRequest): Readable {
  const stream = Readable.from(content, { objectMode: false })
  return stream.on('error', (error) => {
    request.cause = error
  })
}
