// Refusals: the exit codes of the command, and the messages for people.
import type { HttpValidationError, Problem, ValidationError } from '../sdk/src/types.gen.ts'

export const exitCodes = {
  ok: 0,
  refused: 1,
  usage: 2,
  not_logged_in: 3,
  approval_required: 4,
  insufficient_funds: 5,
  unavailable: 6,
  interrupted: 130,
} as const

/** Ends the command with this exit code. `body` is printed by `--json`. */
export class Failure extends Error {
  readonly exit: number
  readonly next: string | null
  readonly body: unknown

  constructor(exit: number, message: string, more: { next?: string | null; body?: unknown } = {}) {
    super(message)
    this.exit = exit
    this.next = more.next ?? null
    this.body = more.body ?? { error: message, next: this.next }
  }
}

export function usage(message: string): Failure {
  return new Failure(exitCodes.usage, message, { next: 'agent-registrar help' })
}

function exitOf({ status, code }: Pick<Problem, 'status' | 'code'>): number {
  if (code === 'approval_required') return exitCodes.approval_required
  if (code === 'insufficient_funds') return exitCodes.insufficient_funds
  if (status === 401) return exitCodes.not_logged_in
  return status === 429 || status >= 500 ? exitCodes.unavailable : exitCodes.refused
}

function fieldsOf(errors: ValidationError[]): string {
  return errors.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join('\n')
}

/** The failure that an answer of the service represents; its body may not be a problem document. */
export function failureOf(
  status: number,
  body: Partial<Problem> | HttpValidationError | null,
): Failure {
  const problem: Omit<Problem, 'detail'> & { detail: string | ValidationError[] } = {
    type: 'about:blank',
    title: `The service answered ${status}`,
    detail: '',
    code: '',
    retryable: false,
    next_action: { type: 'none', hint: '', url: null },
    request_id: '',
    ...body,
    status,
  }
  const { title, detail, code, next_action, request_id } = problem
  const words = typeof detail === 'string' ? detail : fieldsOf(detail)
  const id = request_id === '' ? '' : `request ${request_id}`
  const reference = [code, id].filter(Boolean).join(', ')
  const next = [next_action.hint, next_action.url].filter(Boolean).join(' ')
  return new Failure(exitOf(problem), [words || title, reference].filter(Boolean).join('\n'), {
    next: next === '' ? null : next,
    body: body ?? { status },
  })
}
