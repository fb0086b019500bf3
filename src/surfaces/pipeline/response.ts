// Answers: how an output, a refusal or a bug looks on the wire (decisions part 3, RFC 9457).

import type { Operation } from '../../app.ts'
import { CommitUnknown, DatabaseUnavailable } from '../../db/database.ts'
import { Fault, type FaultType, InvalidInput, kinds } from '../../kit/fault.ts'
import { commonFaults, databaseUnavailable, internalError } from './errors.ts'
import { type Detail, detailsOf, InvalidRequest } from './validate.ts'

export type Answer = {
  status: number
  headers: Record<string, string>
  /** undefined: no body. A Listing: a stream, where the surface asked for one. */
  body: unknown
  /** For the audit row and the log. */
  error_code: string | null
  /** What went wrong on our side, for the log only. */
  cause?: unknown
}

/** The body of every refusal but 422. */
export function problemBody(fault: Fault, requestId: string, baseUrl: string): object {
  const { code, kind, retryable } = fault.type
  return {
    type: `${baseUrl}/docs/errors#${code}`,
    title: kinds[kind].title,
    status: fault.status,
    detail: fault.message,
    code,
    retryable,
    next_action: fault.next_action,
    request_id: requestId,
    ...fault.facts,
  }
}

/** A refusal as an answer. */
export function faultAnswer(fault: Fault, requestId: string, baseUrl: string): Answer {
  const challenge = fault.status === 401 ? { 'WWW-Authenticate': challengeOf(fault) } : {}
  return {
    status: fault.status,
    headers: { 'Content-Type': 'application/problem+json', ...challenge, ...fault.headers },
    body: problemBody(fault, requestId, baseUrl),
    error_code: fault.type.code,
    cause: fault.cause,
  }
}

/** RFC 6750 section 3.1: who showed no token is told of no error. */
function challengeOf(fault: Fault): string {
  const realm = 'Bearer realm="agent-registrar"'
  return fault.type.code === 'invalid_token' ? `${realm}, error="invalid_token"` : realm
}

export function invalidAnswer(details: Detail[]): Answer {
  const malformed = details.some((detail) => detail.type === 'json_invalid')
  return {
    status: 422,
    headers: { 'Content-Type': 'application/json' },
    body: { detail: details },
    error_code: malformed ? 'json_invalid' : 'validation_error',
  }
}

/**
 * Whatever was thrown, as an answer. A fault that the operation does not declare is a bug of ours:
 * 500.
 */
export function thrownAnswer(
  thrown: unknown,
  context: {
    operation: Operation
    requestId: string
    baseUrl: string
    /** Its fields are the arguments of a tool (MCP), without places of HTTP. */
    flat: boolean
  },
): Answer {
  const { operation, requestId, baseUrl, flat } = context
  if (thrown instanceof InvalidRequest) return invalidAnswer(thrown.details)
  if (thrown instanceof InvalidInput)
    return invalidAnswer(detailsOf(operation, thrown.fields, { flat }))
  return entranceAnswer(thrown, { requestId, baseUrl, fails: operation.fails })
}

/** Whatever was thrown before, or without, an operation. */
export function entranceAnswer(
  thrown: unknown,
  context: { requestId: string; baseUrl: string; fails: readonly FaultType[] },
): Answer {
  const fault = faultOf(thrown, context.fails)
  return faultAnswer(fault, context.requestId, context.baseUrl)
}

function faultOf(thrown: unknown, fails: readonly FaultType[]): Fault {
  if (thrown instanceof DatabaseUnavailable || thrown instanceof CommitUnknown)
    return databaseUnavailable({ cause: thrown, retry_after_s: 2 })
  if (!(thrown instanceof Fault)) return internalError({ cause: thrown })
  const known = fails.includes(thrown.type) || commonFaults.some((f) => f === thrown.type)
  if (known) return thrown
  return internalError({
    cause: new Error(`Undeclared fault ${thrown.type.code}`, { cause: thrown }),
  })
}
