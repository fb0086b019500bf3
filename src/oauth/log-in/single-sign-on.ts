// Single sign-on within an interaction: the browser goes to an identity provider, and comes back to
// the same page with a ticket in a cookie. A known address is linked here, too.
import {
  accountOfTicket,
  exchangeSsoTicket,
  mailLinkCode,
  startSso,
  ticketCookieName,
} from '../../capabilities/sso/index.ts'
import { hashSecret } from '../../kit/random.ts'
import type { InteractionContext, PageCallAnswer } from '../host-ports.ts'
import {
  type Form,
  type InteractionState,
  pageOf,
  saveProgress,
} from '../interaction/interaction-state.ts'
import { type NextStep, redirectToPage, show } from '../interaction/next-step.ts'
import type { OpenLink } from '../interaction/progress.ts'
import { callApi, isOtherOwner, proveBySession, refused } from './prove-account.ts'

export async function startSingleSignOn({ fields, state }: Form): Promise<NextStep> {
  const provider = (fields.get('decision') ?? '').slice('sso:'.length)
  const answer = await callApi(state, {
    operation: startSso,
    path: { provider },
    body: { return_to: pageOf(state.interaction), reauthenticate: needsFreshLogIn(state) },
  })
  if (answer.status !== 200) return refused(state, answer)
  const { authorization_url }: Record<string, unknown> = Object(answer.body)
  return { kind: 'redirect', to: String(authorization_url), goal: 'provider' }
}

/** Whether the owner has to confirm their identity, or the app requires a log-in. */
function needsFreshLogIn({ login, interaction: { params } }: InteractionState): boolean {
  const prompts = String(params.prompt ?? '').split(' ')
  return login !== null || prompts.includes('login') || params.max_age !== undefined
}

/**
 * Takes the ticket of the interaction out of the browser at the return from a provider, whatever
 * page follows.
 */
export function takeSsoTicket(
  { ports, request, reply, app }: InteractionContext,
  interaction: string,
): string | undefined {
  const name = ticketCookieName(app, interaction)
  const ticket = ports.cookiesOf(request).get(name)
  if (ticket !== undefined)
    reply.header('Set-Cookie', `${name}=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax`)
  return ticket
}

/** The log-in, or why there is none. */
export async function finishSingleSignOn(
  state: InteractionState,
  ticket: string,
): Promise<NextStep> {
  // A confirmation neither signs up nor logs in anybody else.
  const { db } = state.context.app
  const known =
    state.login && (await db.maybe(accountOfTicket, { ticket_hash: hashSecret(ticket) }))
  if (isOtherOwner(state, known?.customer_id)) return show(state, 'other_owner')
  const answer = await callApi(state, { operation: exchangeSsoTicket, body: { ticket } })
  if (answer.status === 200) return proveBySession(state, answer)
  if (answer.error_code !== 'sso_link_needed') return refused(state, answer)
  return redirectToPage(await saveProgress(state, { link: linkIn(state, answer) }))
}

function linkIn({ context }: InteractionState, { body }: PageCallAnswer): OpenLink {
  const { link }: { link?: Record<string, unknown> } = Object(body)
  const { ticket, email, provider, methods } = link ?? {}
  return {
    sealed: context.app.encryption.seal(String(ticket)),
    email: String(email),
    provider: String(provider),
    methods: [methods].flat().map(String),
    code_sent: false,
  }
}

function ticketOf({ context, progress }: InteractionState): string {
  const { link } = progress
  return (link && context.app.encryption.unseal(link.sealed)) ?? ''
}

/** Links an identity with the password of the account or the mailed code. */
export async function linkIdentity({ fields, state }: Form): Promise<NextStep> {
  if (!state.progress.link) return show(state)
  const code = (fields.get('code') ?? '').replaceAll(/\s/g, '')
  const password = fields.get('password') ?? ''
  if (code === '' && password === '') return show(state, { words: 'The field is empty.' })
  const proof = code === '' ? { password } : { code }
  const body = { ticket: ticketOf(state), ...proof }
  const answer = await callApi(state, { operation: exchangeSsoTicket, body })
  if (answer.status === 200) return proveBySession(state, answer)
  return refused(await withoutDeadLink(state, answer), answer)
}

export async function mailLinkDigits({ state }: Form): Promise<NextStep> {
  const { link } = state.progress
  if (!link) return show(state)
  const body = { ticket: ticketOf(state) }
  const answer = await callApi(state, { operation: mailLinkCode, body })
  if (answer.status !== 202) return refused(await withoutDeadLink(state, answer), answer)
  return redirectToPage(await saveProgress(state, { link: { ...link, code_sent: true } }))
}

/** A ticket that has expired cannot be confirmed, so the log-in begins again. */
async function withoutDeadLink(
  state: InteractionState,
  { error_code }: PageCallAnswer,
): Promise<InteractionState> {
  return error_code === 'sso_ticket_not_valid' ? saveProgress(state, { link: null }) : state
}
