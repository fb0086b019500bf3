// The API client of the application: the session is an HttpOnly cookie, and every failure becomes
// an ApiError with cause, next step and request id.
import { client, type HttpValidationError, type Problem } from 'sdk'
import { fieldProblem } from '../messages/problems/field-problems.ts'
import { formatDay } from './format.ts'
import { isOperatorPage } from './routes.ts'

// The session needs this header beside the cookie, since no form of another site can send it.
const session = isOperatorPage ? 'operator' : 'cookie'
client.setConfig({ baseUrl: location.origin, headers: { 'X-Session': session } })

type Failure = {
  status: number
  code: string
  message: string
  hint: string | null
  /**
   * Whether its words are the dashboard's own, as opposed to those that the API gives to programs.
   */
  is_own?: true
  request_id: string | null
  /** The seconds of Retry-After, or null if the response has none. */
  retry_after_s: number | null
  /** The messages of a 422, by the name of the field and by its path. */
  fields: Readonly<Record<string, string>>
  /** All messages of a 422 in their order, since one field may have several. */
  problems: readonly string[]
  /** Further members of a problem, such as "shortfall". */
  facts: Readonly<Record<string, unknown>>
}

export class ApiError extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** The messages of a 422 by the name of the field; empty for other errors. */
export function fieldProblems(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiError ? error.failure.fields : {}
}

/** All messages of a 422; empty for other errors. */
export function problemsOf(error: unknown): readonly string[] {
  return error instanceof ApiError ? error.failure.problems : []
}

/** A failure without a request to the API, and so without a request id. */
export function failureHere(code: string, message: string, hint: string): ApiError {
  const none = { status: 0, request_id: null, retry_after_s: null, fields: {}, facts: {} }
  const problems: string[] = []
  return new ApiError({ ...none, problems, code, message, hint, is_own: true })
}

type Result<T> = {
  data?: T
  error?: unknown
  response?: Response
}

/** The body of a successful response; throws an ApiError for everything else. */
export async function answerOf<T>(request: Promise<Result<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await request.catch((cause: unknown) => ({
    data: undefined,
    error: cause,
    response: undefined,
  }))
  if (response?.ok && data !== undefined && data !== null) return data
  throw new ApiError(failureOf(error, response))
}

/** Awaits a response without a body (204); throws an ApiError for every failure. */
export async function doneOf(request: Promise<Result<unknown>>): Promise<void> {
  const { error, response } = await request.catch((cause: unknown) => ({
    error: cause,
    response: undefined,
  }))
  if (!response?.ok) throw new ApiError(failureOf(error, response))
}

function failureOf(error: unknown, response: Response | undefined): Failure {
  const status = response?.status ?? 0
  const request_id = response?.headers.get('x-request-id') ?? null
  const retry_after_s = Number(response?.headers.get('retry-after')) || null
  const of = (code: string): Failure => {
    const empty = { message: '', hint: null, fields: {}, problems: [], facts: {} }
    return { status, code, request_id, retry_after_s, ...empty }
  }
  if (isProblem(error)) {
    const { code, detail, next_action } = error
    const hint = next_action.hint
    const message = withLocalDays(detail)
    return { ...of(code), message, hint, request_id: error.request_id, facts: { ...error } }
  }
  if (isInvalid(error)) {
    const problems = error.detail.map(fieldProblem)
    const fields = Object.fromEntries(
      error.detail.flatMap(({ loc }, at) =>
        [nameOf(loc), pathOf(loc)].map((name) => [name, problems[at] ?? '']),
      ),
    )
    const [message = ''] = Object.values(fields)
    return { ...of('invalid'), message, fields, problems }
  }
  return of('unreachable')
}

/** Puts the timestamps within a sentence into a form for people. */
function withLocalDays(sentence: string): string {
  return sentence.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, formatDay)
}

/** The name of the field, even if only an item of its list is invalid. */
function nameOf(loc: readonly (string | number)[]): string {
  return String(loc.findLast((part) => typeof part === 'string') ?? '')
}

/**
 * The path of a field, such as "max_price.amount" or "allowed_tlds.2", which is unique where a name
 * is not.
 */
function pathOf(loc: readonly (string | number)[]): string {
  return loc.slice(1).join('.')
}

function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && 'code' in error && 'next_action' in error
}

function isInvalid(error: unknown): error is HttpValidationError {
  return (
    typeof error === 'object' &&
    error !== null &&
    'detail' in error &&
    Array.isArray(error.detail) &&
    error.detail.length > 0
  )
}
