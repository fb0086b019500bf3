// The SDK client for the credential of the command: the only file that sends requests to
// operations. It refuses redirects, and repeats a request whose token was rejected with another
// token.
import { createRegistrarClient, type RegistrarClient } from '../sdk/client/client.ts'
import { RegistrarError } from '../sdk/client/errors.ts'
import { exitCodes, Failure, failureOf } from './failure.ts'
import type { Session } from './session.ts'

export { paginate } from '../sdk/client/paginate.ts'
export type { RegistrarClient }

const retry = { retries: 2, base: 250, cap: 20_000, timeout: 90_000 }

export function openRegistrar(session: Session): RegistrarClient {
  return createRegistrarClient({
    baseUrl: session.url,
    getToken: () => session.token(),
    fetch: (input, init) => send(session, new Request(input, { ...init, redirect: 'error' })),
    retry,
  })
}

/** A rejected request had no effect, so any request may be repeated. */
async function send(session: Session, request: Request): Promise<Response> {
  const again = request.clone()
  const answer = await fetch(request)
  requireOurs(session.url, answer)
  const sent = request.headers.get('authorization')?.slice('Bearer '.length)
  if (answer.status !== 401 || sent === undefined) return answer
  const token = await session.replace(sent)
  if (token === null) return answer
  again.headers.set('authorization', `Bearer ${token}`)
  return fetch(again)
}

const ours = /^(application\/(([a-z.-]+\+)?json|pdf)|text\/dns)\b/

/** A page with status 200 comes from another service. */
function requireOurs(url: string, { ok, status, headers }: Response): void {
  const type = headers.get('content-type') ?? ''
  if (!ok || status === 204 || ours.test(type)) return
  throw new Failure(exitCodes.unavailable, `${url} answers with "${type}": it is not a registrar`, {
    next: 'Check --url.',
  })
}

/** The failure for an error of the client, or null if the error is not one of its own. */
export function failureOfError(error: unknown, session: Session | null): Failure | null {
  if (error instanceof Failure) return error
  if (!(error instanceof RegistrarError)) return null
  const known = failureIn(error.cause)
  if (known !== null) return known
  const { status, problem, issues, message, cause } = error
  if (status === undefined) {
    const why = cause instanceof Error ? (cause.cause ?? cause) : message
    return new Failure(exitCodes.unavailable, `${session?.url ?? 'The service'}: ${why}`, {
      next: 'Check --url and the network, then run the command again.',
    })
  }
  const failure = failureOf(status, problem ?? (issues.length > 0 ? { detail: [...issues] } : null))
  const hint = hintFor(Object(problem), session)
  return hint === null
    ? failure
    : new Failure(failure.exit, failure.message, { ...failure, next: hint })
}

/** The failure of the session, which asks for tokens below the client. */
function failureIn(cause: unknown): Failure | null {
  if (cause instanceof Failure) return cause
  return cause instanceof Error ? failureIn(cause.cause) : null
}

type Facts = {
  code?: string
  required_scope?: string
  approval?: { id: string; url?: string } | null
}

/** The command that helps, in place of the advice to programs. */
function hintFor({ code, required_scope, approval }: Facts, session: Session | null) {
  if (code === 'insufficient_scope' && session?.kind === 'log_in')
    return `agent-registrar login --scope ${required_scope} (asks the owner for that as well)`
  if (code === 'approval_required' && approval)
    return `agent-registrar approvals wait ${approval.id} (the owner answers at ${approval.url})`
  if (code === 'insufficient_funds') return 'agent-registrar top-up AMOUNT'
  return code === 'unauthenticated' ? 'agent-registrar login' : null
}
