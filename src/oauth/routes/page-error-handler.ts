// Errors at routes for browsers, as pages: rate limits, shutdown, an outage, a bug.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { classify } from '../../errors/classify.ts'
import { errorPage } from '../../errors/error-page.ts'
import { noticePage } from '../shared/page-layout.ts'

type Handler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** The error handler of such routes. `again` is the next step, after "Wait a moment, ". */
export function pageErrorHandler(again: string): Handler {
  return (error, request, reply) => {
    const classified = classify(error)
    const { status, headers, title, happened, wait } = errorPage(classified)
    const page = noticePage({ status, title, message: happened, action: `Wait ${wait}, ${again}` })
    request.error_code = classified.code
    if (status >= 500) request.cause = error
    return reply
      .code(status)
      .headers({ ...page.headers, ...headers })
      .send(page.body)
  }
}
