// The interaction of an authorization: shows the consent page and handles its submission. Every
// redirect after a submission is a 303.
import type { FastifyReply } from 'fastify'
import { checkPassword } from '../../capabilities/sign-in/index.ts'
import type { InteractionContext } from '../host-ports.ts'
import type { PageResponse } from '../shared/page-layout.ts'
import { consentPage, type Problem } from './consent-page.ts'
import { isCrossSite, isCsrfToken } from './csrf.ts'
import { storeConsent } from './grant-consent.ts'
import {
  consentView,
  csrfFacts,
  finish,
  type Interaction,
  type InteractionState,
  loadInteractionState,
  redirectBack,
  signedInAccount,
  signOut,
} from './interaction-state.ts'
import {
  continuePage,
  crossSitePage,
  csrfMismatchPage,
  expiredPage,
  notFormDataPage,
  passwordChangedPage,
  unreadableFormPage,
} from './notice-pages.ts'
import { selectedByDefault } from './scope-descriptions.ts'

/** GET: the form, or the redirect if it was submitted already. */
export async function showInteraction(context: InteractionContext): Promise<FastifyReply> {
  const state = await loadInteractionState(context, interactionIn(context.request.query))
  if (!state) return send(context, expiredPage)
  if (state.interaction.result) return send(context, continuePage(state.interaction.returnTo))
  return send(context, await formOf(state, {}))
}

/** POST: the owner's decision. */
export async function submitInteraction(context: InteractionContext): Promise<FastifyReply> {
  return send(context, await handleSubmission(context))
}

function send(
  { reply }: InteractionContext,
  { status, headers, body }: PageResponse,
): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}

function interactionIn(query: unknown): string {
  const fields: Record<string, unknown> = Object(query)
  return typeof fields.interaction === 'string' ? fields.interaction : ''
}

type Form = { fields: URLSearchParams; state: InteractionState }

async function handleSubmission(context: InteractionContext): Promise<PageResponse> {
  const { request, app } = context
  if (isCrossSite(request.headers, app.settings.base_url)) return crossSitePage
  const fields = fieldsOf(request)
  if (!fields) return notFormDataPage
  const state = await loadInteractionState(context, fields.get('interaction') ?? '')
  if (!state) return expiredPage
  if (!isCsrfToken(csrfFacts(state), fields.get('csrf') ?? '')) return csrfMismatchPage
  // Submitted twice: the first one counts.
  if (state.interaction.result) return redirectBack(state)
  switch (fields.get('decision')) {
    case 'allow':
      return allow({ fields, state })
    case 'deny':
      return deny(state)
    case 'switch':
      return formOf(await signOut(state), { selected: fields.getAll('scope') })
    default:
      return unreadableFormPage
  }
}

function fieldsOf({ body, headers }: InteractionContext['request']): URLSearchParams | undefined {
  const type = headers['content-type'] ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return undefined
  if (typeof body === 'string') return new URLSearchParams(body)
  return Buffer.isBuffer(body) ? new URLSearchParams(body.toString()) : undefined
}

type FormInput = { selected?: readonly string[]; email?: string; problem?: Problem }

async function formOf(state: InteractionState, input: FormInput): Promise<PageResponse> {
  return consentPage({
    ...(await consentView(state)),
    selected: input.selected ?? selectedByDefault(state.scopes),
    email: input.email ?? state.login_hint,
    problem: input.problem ?? null,
  })
}

/** `session_id`: the login that is recent enough; null: the password was entered just now. */
type Owner = { customer_id: string; password_of: Date; session_id: bigint | null }

async function allow({ fields, state }: Form): Promise<PageResponse> {
  const selected = fields.getAll('scope')
  const email = fields.get('email') ?? ''
  const again = (problem: Problem) => formOf(state, { selected, email, problem })
  const { selectable } = state.scopes
  if (selectable.length > 0 && !selectable.some((scope) => selected.includes(scope)))
    return again({ kind: 'nothing_selected' })
  const owner = await ownerOf({ fields, state })
  if ('kind' in owner) return again(owner)
  if (hintsOtherAccount(state.interaction, owner.customer_id))
    return again({ kind: 'other_account' })
  return consent(state, owner, selected)
}

/**
 * Whether `id_token_hint` (OpenID Connect Core section 3.1.2.1) names another account than this
 * one. The library has verified the hint when the interaction began, and would prompt again after
 * the consent is stored.
 */
function hintsOtherAccount({ params }: Pick<Interaction, 'params'>, customer_id: string): boolean {
  const { id_token_hint } = params
  if (typeof id_token_hint !== 'string') return false
  const [, payload = ''] = id_token_hint.split('.')
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const { sub }: { sub?: unknown } = Object(claims)
  return sub !== customer_id
}

async function ownerOf({ fields, state }: Form): Promise<Owner | Problem> {
  const { context, login, at } = state
  if (login && !login.needs_password)
    return { customer_id: login.customer.id, password_of: at, session_id: login.session_id }
  const email = login?.customer.email ?? (fields.get('email') ?? '').trim()
  const password = fields.get('password') ?? ''
  if (email === '' || password === '') return { kind: 'incomplete' }
  const checked = await checkPassword(context.app, { email, password, address: context.address })
  if (checked.kind !== 'good') return checked
  const { customer_id, password_changed_at } = checked
  // The address may belong to another account by now.
  if (login && login.customer.id !== customer_id) return { kind: 'wrong' }
  return { customer_id, password_of: password_changed_at, session_id: null }
}

async function consent(
  state: InteractionState,
  { customer_id, password_of, session_id }: Owner,
  selected: readonly string[],
): Promise<PageResponse> {
  const { context, interaction, client, destination, resources, scopes } = state
  // Otherwise the library would have the browser log out the other account first, by a script.
  const other = await signedInAccount(state)
  const own = other && other !== customer_id ? await signOut(state) : state
  const { redirect_host } = destination
  const result = await storeConsent(context, {
    interaction: interaction.uid,
    customer_id,
    session_id,
    client: { id: client.id, name: client.name, redirect_host },
    resources,
    scopes,
    selected,
    password_of,
    agent_identifier: agentOf(context.request.headers['user-agent']),
    address: context.address,
  })
  if (result.kind !== 'stored')
    return result.kind === 'password_changed' ? passwordChangedPage : expiredPage
  const login = session_id === null ? { login: { accountId: customer_id, amr: ['pwd'] } } : {}
  return finish(own, { ...login, consent: { grantId: result.grant_id } })
}

function deny(state: InteractionState): Promise<PageResponse> {
  const error_description = 'the owner of the account did not consent'
  return finish(state, { error: 'access_denied', error_description })
}

/** Printable ASCII, safe in logs and in the audit log. */
function agentOf(text: string | undefined): string {
  const printable = (text ?? '').replaceAll(/[^\x20-\x7e]/g, '?').trim()
  return printable === '' ? 'unknown' : printable.slice(0, 200)
}
