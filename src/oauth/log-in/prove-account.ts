// The end of each log-in within an interaction: its account is known, and the consent comes next.
import {
  type Form,
  hintsOtherAccount,
  type InteractionState,
  redirectToPage,
  saveProgress,
} from '../consent/interaction-state.ts'
import { provenAccount } from '../consent/progress.ts'
import type { PageCall, PageCallAnswer } from '../host-ports.ts'
import type { PageResponse } from '../shared/page-layout.ts'
import { showPage } from './pages.ts'
import { type Problem, refusalOf } from './problems.ts'

export async function proveAccount(
  state: InteractionState,
  loggedIn: Parameters<typeof provenAccount>[1],
): Promise<PageResponse> {
  const { customer_id } = loggedIn
  if (isOtherOwner(state, customer_id)) return showPage(state, 'other_owner')
  if (hintsOtherAccount(state.interaction, customer_id)) return showPage(state, 'other_account')
  const account = provenAccount(state.context.app.clock.now(), loggedIn)
  const ended = { page: null, sign_up: null, link: null, email: null }
  return redirectToPage(await saveProgress(state, { account, ...ended }))
}

/** Calls the API for the browser, which gets the cookie of the answer. */
export async function callApi(
  { context }: InteractionState,
  called: PageCall,
): Promise<PageCallAnswer> {
  const { ports, request, reply } = context
  const answer = await ports.call(request, called)
  const cookie = answer.headers['Set-Cookie']
  if (cookie !== undefined) reply.header('Set-Cookie', cookie)
  request.error_code = answer.error_code
  return answer
}

/** The page again, with the reason of a refusal. */
export async function refused(
  state: InteractionState,
  answer: PageCallAnswer,
  shown: Parameters<typeof showPage>[2] = {},
): Promise<PageResponse> {
  return showPage(state, refusalOf(answer) ?? unexpected, shown)
}

const unexpected: Problem = { words: 'That did not work. Please try again.' }

/** Whether a confirmation is not by the owner of the log-in. Undefined: a new identity. */
export function isOtherOwner({ login }: InteractionState, customer_id: string | undefined) {
  return login !== null && login.customer.id !== customer_id
}

/** By an answer that logs the browser in to the dashboard: the proof ends with that session. */
export async function proveBySession(
  state: InteractionState,
  answer: PageCallAnswer,
  amr: readonly string[] = [],
): Promise<PageResponse> {
  const caller = await state.context.ports.sessionGiven(answer)
  // It ended at once, from another tab.
  if (caller?.kind !== 'customer' || caller.session_id === null) return showPage(state, unexpected)
  const { customer_id, session_id } = caller
  return proveAccount(state, { customer_id, session_id, amr })
}

export function textIn({ fields }: Pick<Form, 'fields'>, name: string): string {
  return (fields.get(name) ?? '').trim()
}
