// What goes wrong at a page that people see is told as a page: too many at once, a node that stops,
// an outage, a failure of ours.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CommitUnknown, DatabaseUnavailable } from '../../db/database.ts'
import { Fault } from '../../kit/fault.ts'
import { noticePage } from '../shared/page-layout.ts'
import { codeOf } from './oauth-error.ts'

type PageError = { code: string; status: number; title: string; message: string; wait_s?: string }
type Handler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** The error handler of such routes; `again`: what to do then, after "Wait a moment, ". */
export function pageErrorHandler(again: string): Handler {
  return (error, request, reply) => {
    const { code, wait_s, ...told } = pageErrorOf(error)
    const wait =
      wait_s === undefined ? 'a moment' : wait_s === '1' ? '1 second' : `${wait_s} seconds`
    const { status, headers, body } = noticePage({ ...told, action: `Wait ${wait}, ${again}` })
    request.error_code = code
    if (status >= 500) request.cause = error
    const own = error instanceof Fault ? error.headers : {}
    const retry = wait_s === undefined ? {} : { 'Retry-After': wait_s }
    return reply
      .code(status)
      .headers({ ...headers, ...own, ...retry })
      .send(body)
  }
}

const later = 'This cannot be answered right now'
const unread = { title: 'This form cannot be read', message: 'It is not what our page sends.' }

function pageErrorOf(error: unknown): PageError {
  if (error instanceof Fault) return ofFault(error)
  if (error instanceof DatabaseUnavailable || error instanceof CommitUnknown) {
    const message = 'Our database cannot be reached.'
    return { code: 'database_unavailable', status: 503, title: later, message, wait_s: '1' }
  }
  const code = codeOf(error)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return { code: 'body_too_large', status: 413, ...unread }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return { code: 'unsupported_media_type', status: 415, ...unread }
  const message = 'Something went wrong on our side.'
  return { code: 'internal_error', status: 500, title: 'That did not work', message }
}

function ofFault({ type, status, message, headers }: Fault): PageError {
  const title = status === 429 ? 'Too many at once from your network' : later
  const wait_s = headers['Retry-After']
  const told = { code: type.code, status, title, message: message }
  return wait_s === undefined ? told : { ...told, wait_s }
}
