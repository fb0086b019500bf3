// The end of each log-in within an interaction: its account is known, and the consent comes next.

import type { CustomerId } from '../../kit/random.ts'
import type { PageCall, PageCallAnswer } from '../host-ports.ts'
import {
  type Form,
  hintsOtherAccount,
  type InteractionState,
  saveProgress,
} from '../interaction/interaction-state.ts'
import { type NextStep, redirectToPage, show, type Typed } from '../interaction/next-step.ts'
import { type Problem, refusalOf } from '../interaction/problems.ts'
import { provenAccount } from '../interaction/progress.ts'

export async function proveAccount(
  state: InteractionState,
  loggedIn: Parameters<typeof provenAccount>[1],
): Promise<NextStep> {
  const { customer_id } = loggedIn
  if (isOtherOwner(state, customer_id)) return show(state, 'other_owner')
  if (hintsOtherAccount(state.interaction, customer_id)) return show(state, 'other_account')
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

/** Shows the page again, with the reason of a refusal. */
export async function refused(
  state: InteractionState,
  answer: PageCallAnswer,
  shown: Typed = {},
): Promise<NextStep> {
  return show(state, refusalOf(answer) ?? unexpected, shown)
}

const unexpected: Problem = { words: 'That did not work. Please try again.' }

/**
 * Whether a confirmation is not by the owner of the log-in. `customer_id` is undefined for a new
 * identity.
 */
export function isOtherOwner({ login }: InteractionState, customer_id: CustomerId | undefined) {
  return login !== null && login.customer.id !== customer_id
}

/**
 * Proves the account by an answer that logs the browser in to the dashboard. The proof ends with
 * that session.
 */
export async function proveBySession(
  state: InteractionState,
  answer: PageCallAnswer,
  amr: readonly string[] = [],
): Promise<NextStep> {
  const caller = await state.context.ports.sessionGiven(answer)
  // The session ended at once, from another tab.
  if (caller?.kind !== 'customer' || caller.session_id === null) return show(state, unexpected)
  const { customer_id, session_id } = caller
  return proveAccount(state, { customer_id, session_id, amr })
}

export function textIn({ fields }: Pick<Form, 'fields'>, name: string): string {
  return (fields.get(name) ?? '').trim()
}
