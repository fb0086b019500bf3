// Errors as classes: by the code of the problem where a program answers it in its own way, else by
// the status. Each carries the problem as data, with the next action that the service names.
import type { ValidationError as Issue, Problem } from '../src/types.gen.ts'

export type NextAction = Problem['next_action']
type ErrorFacts = {
  message: string
  status?: number | undefined
  problem?: Problem | undefined
  issues?: Issue[] | undefined
  retryAfter?: number | undefined
  cause?: unknown
}

export class RegistrarError extends Error {
  /** The HTTP status; undefined where no response came. */
  readonly status: number | undefined
  /** A word that does not change, such as "insufficient_funds". */
  readonly code: string | undefined
  readonly title: string | undefined
  readonly detail: string | undefined
  /** The next step as data: type, hint and url. */
  readonly nextAction: NextAction | undefined
  /** Whether the same request may work later. */
  readonly retryable: boolean
  /** Seconds of the Retry-After header. */
  readonly retryAfter: number | undefined
  /** Names the request to support. */
  readonly requestId: string | undefined
  /** The whole application/problem+json, with the fields of its code. */
  readonly problem: Problem | undefined
  /** The fields that violate the schema of the request; only a ValidationError has some. */
  readonly issues: readonly Issue[]

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = new.target.name
    const { problem } = facts
    this.status = facts.status
    this.code = problem?.code
    this.title = problem?.title
    this.detail = problem?.detail
    this.nextAction = problem?.next_action
    this.retryable = problem?.retryable ?? false
    this.retryAfter = facts.retryAfter
    this.requestId = problem?.request_id
    this.problem = problem
    this.issues = facts.issues ?? []
  }
}

/** The request cannot be served in this form. */
export class InvalidRequestError extends RegistrarError {}
/** A field is missing or wrong: see `issues`, or the problem. */
export class ValidationError extends InvalidRequestError {}
export class AuthenticationError extends RegistrarError {}
export class PermissionError extends RegistrarError {}
/** The owner was asked: wait for the approval that the problem names. */
export class ApprovalRequiredError extends PermissionError {}
export class PaymentRequiredError extends RegistrarError {}
export class InsufficientFundsError extends PaymentRequiredError {}
export class NotFoundError extends RegistrarError {}
export class ConflictError extends RegistrarError {}
export class RateLimitError extends RegistrarError {}
export class ServerError extends RegistrarError {}
/** No whole response came. A paid request may have been carried out: repeat it with its key. */
export class ConnectionError extends RegistrarError {}
/** The response, or the end of an operation, did not come in time. */
export class TimeoutError extends ConnectionError {}

const byCode: Record<string, typeof RegistrarError> = {
  approval_required: ApprovalRequiredError,
  insufficient_funds: InsufficientFundsError,
}
const byStatus: Record<number, typeof RegistrarError> = {
  401: AuthenticationError,
  402: PaymentRequiredError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  422: ValidationError,
  429: RateLimitError,
}

/** The class of a problem's code and status. */
export function errorClass(status: number, code?: string): typeof RegistrarError {
  const own = code === undefined ? undefined : byCode[code]
  if (own) return own
  return byStatus[status] ?? (status >= 500 ? ServerError : InvalidRequestError)
}

/** The error of a response that is not 2xx, from its body as read. */
export function errorOf(response: Response, body: unknown): RegistrarError {
  const problem = isProblem(body) ? body : undefined
  const issues = issuesOf(body)
  const { status } = response
  const message = problem?.detail ?? firstIssue(issues) ?? `The service answered ${status}.`
  return new (errorClass(status, problem?.code))({
    message,
    status,
    problem,
    issues,
    retryAfter: secondsOf(response.headers.get('retry-after')),
  })
}

/** Seconds of a Retry-After header, which may also be a date. */
export function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

function isProblem(body: unknown): body is Problem {
  const { code, next_action } = Object(body)
  return typeof code === 'string' && typeof Object(next_action).type === 'string'
}

function issuesOf(body: unknown): Issue[] {
  const { detail } = Object(body)
  return Array.isArray(detail) ? detail : []
}

function firstIssue(issues: Issue[]): string | undefined {
  const [first] = issues
  return first && `${first.loc.join('.')}: ${first.msg}`
}
