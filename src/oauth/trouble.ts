// What goes wrong at a page that people see is told as a page: too many at once, a node that stops,
// an outage, a failure of ours.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CommitUnknown, DatabaseUnavailable } from '../db/database.ts'
import { Fault } from '../kit/fault.ts'
import { type Notice, noticePage } from './frame.ts'

type Trouble = { code: string; headers: Record<string, string>; notice: Notice }

/** The error handler of such routes. */
export function answerTrouble(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { code, headers, notice } = troubleOf(error)
  const page = noticePage(notice)
  request.error_code = code
  if (notice.status >= 500) request.cause = error
  return reply
    .code(page.status)
    .headers({ ...page.headers, ...headers })
    .send(page.body)
}

const again = 'load this page again, or connect the program anew from there.'
const later = { title: 'This cannot be answered right now', todo: `Wait a moment, then ${again}` }

function troubleOf(error: unknown): Trouble {
  if (error instanceof Fault) return ofFault(error)
  if (error instanceof DatabaseUnavailable || error instanceof CommitUnknown)
    return {
      code: 'database_unavailable',
      headers: { 'Retry-After': '1' },
      notice: { ...later, status: 503, happened: 'Our database cannot be reached.' },
    }
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : ''
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return {
      code: 'body_too_large',
      headers: {},
      notice: {
        status: 413,
        title: 'This form cannot be read',
        happened: 'What arrived is more than our page sends. Nothing was allowed.',
        todo: `Go back to the program that you came from, then ${again}`,
      },
    }
  const happened = 'Something went wrong on our side.'
  const notice = { status: 500, title: 'That did not work', happened, todo: later.todo }
  return { code: 'internal_error', headers: {}, notice }
}

function ofFault({ type, status, message, headers }: Fault): Trouble {
  const wait_s = headers['Retry-After']
  const notice = {
    status,
    title: status === 429 ? 'Too many at once from your network' : later.title,
    happened: message,
    todo: wait_s === undefined ? later.todo : `Wait ${wait_s} seconds, then ${again}`,
  }
  return { code: type.code, headers, notice }
}
