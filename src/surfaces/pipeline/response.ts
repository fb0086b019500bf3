// The responses of the pipeline: the HTTP form of an output, a refusal (RFC 9457) or a bug.

import type { Operation } from '../../app.ts'
import { classify } from '../../errors/classify.ts'
import { internalError } from '../../errors/faults.ts'
import { type ProblemRoots, problemJson } from '../../errors/problem-json.ts'
import { type Fault, type FaultType, InvalidInput } from '../../kit/fault.ts'
import { commonFaults } from './faults.ts'
import { detailsOf, InvalidRequest } from './validate.ts'
import { type Detail, most_details } from './validation-errors.ts'

export type ApiResponse = {
  status: number
  headers: Record<string, string>
  /**
   * The body, or undefined for none. A Listing is a stream, where the surface asked for one, a
   * Download is a file, and an EventStream occurs only over HTTP.
   */
  body: unknown
  /** The error code for the audit row and the log. */
  error_code: string | null
  /** The cause of a failure of the service, for the log only. */
  cause?: unknown
}

/** A fault as an answer. */
export function faultResponse(fault: Fault, requestId: string, roots: ProblemRoots): ApiResponse {
  return {
    ...problemJson(fault, requestId, roots),
    error_code: fault.type.code,
    cause: fault.cause,
  }
}

function invalidResponse(details: Detail[]): ApiResponse {
  const malformed = details.some((detail) => detail.type === 'json_invalid')
  return {
    status: 422,
    headers: { 'Content-Type': 'application/json' },
    body: { detail: details.slice(0, most_details) },
    error_code: malformed ? 'json_invalid' : 'validation_error',
  }
}

/**
 * Any error of an operation, as an answer. A fault that the operation does not declare is a bug and
 * gets 500.
 */
export function errorResponse(
  error: unknown,
  context: {
    operation: Operation
    requestId: string
    roots: ProblemRoots
    /** Whether the fields are the arguments of a tool (MCP), without places of HTTP. */
    flat: boolean
  },
): ApiResponse {
  const { operation, requestId, roots, flat } = context
  if (error instanceof InvalidRequest) return invalidResponse(error.details)
  if (error instanceof InvalidInput)
    return invalidResponse(detailsOf(operation, error.fields, { flat }))
  return errorResponseBefore(error, { requestId, roots, fails: operation.fails })
}

/** Any error before, or without, an operation, as an answer. */
export function errorResponseBefore(
  error: unknown,
  context: { requestId: string; roots: ProblemRoots; fails: readonly FaultType[] },
): ApiResponse {
  const fault = publicFault(error, context.fails)
  return faultResponse(fault, context.requestId, context.roots)
}

/** The operation may have been under way, so clients wait longer than elsewhere. */
const retry_after_s = 2

function publicFault(error: unknown, fails: readonly FaultType[]): Fault {
  const { kind, fault } = classify(error, { retry_after_s })
  const isDeclared =
    kind !== 'fault' || fails.includes(fault.type) || commonFaults.some((f) => f === fault.type)
  if (isDeclared) return fault
  return internalError({
    cause: new Error(`Undeclared fault ${fault.type.code}`, { cause: fault }),
  })
}
