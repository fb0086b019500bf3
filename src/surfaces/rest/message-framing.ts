// Message framing and routing fields that Node's parser lets through and RFC 9112 does not: where
// two readers of one request could differ about its host or its end.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

// uri-host [ ":" port ] of RFC 3986 section 3.2.2 without its list separators; empty where the
// target has no authority (RFC 9112 section 3.2).
const authority = /^(\[[0-9a-f:.]+\]|[\w.~%!$&'()*+;=-]*)(:[0-9]*)?$/i

/**
 * The words for a request that has to be refused with 400; undefined for one that is sound. Node
 * itself refuses Content-Length beside Transfer-Encoding, and two Content-Length.
 */
export function framingProblem(request: IncomingMessage): string | undefined {
  const { rawHeaders, headers, httpVersion } = request
  const coding = headers['transfer-encoding']
  // RFC 9112 section 6.1: in HTTP/1.0 it is a sign of faulty framing.
  if (coding !== undefined && (httpVersion === '1.0' || coding.trim().toLowerCase() !== 'chunked'))
    return 'Transfer-Encoding may be "chunked", once, and in HTTP/1.1.'
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.toLowerCase() === 'host') hosts += 1
  if (hosts > 1) return 'There is more than one Host field.'
  const { host } = headers
  return host === undefined || authority.test(host) ? undefined : 'The Host field names no host.'
}

const lastReplies = new WeakMap<Socket, FastifyReply>()

/** Notes which reply is the last that was begun on its connection. */
export function noteReply(reply: FastifyReply): void {
  lastReplies.set(reply.request.raw.socket, reply)
}

/** Whether the body that Node's parser fails on belongs to a request that is answered already. */
function isAnswered(socket: Socket): boolean {
  const reply = lastReplies.get(socket)
  if (!reply) return false
  return reply.raw.headersSent && !reply.request.raw.complete
}

/**
 * Requests that Node's parser refuses never become one of ours: a plain answer, then the connection
 * ends.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  // A second answer would be taken for that of the next request.
  if (isAnswered(socket)) {
    socket.destroySoon()
    return
  }
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const line =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request'
  socket.end(`HTTP/1.1 ${line}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
