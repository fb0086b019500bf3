// The page in the middle of an authorization: shows it, and takes what was submitted. Every answer
// to a submission that leads on is a 303.
import type { FastifyReply } from 'fastify'
import { checkPassword } from '../../capabilities/sign-in/index.ts'
import type { InteractionContext } from '../host-ports.ts'
import type { PageResponse } from '../shared/page-layout.ts'
import { consentPage, type Problem } from './consent-page.ts'
import { isCsrfToken, isForeign } from './csrf.ts'
import { giveConsent } from './grant-consent.ts'
import { hintsOtherAccount } from './id-token-hint.ts'
import {
  consentView,
  csrfFacts,
  finish,
  type InteractionState,
  loadInteractionState,
  redirectBack,
  signedInAccount,
  signOut,
} from './interaction-state.ts'
import {
  continuePage,
  foreignForm,
  notAForm,
  notFormData,
  notThisForm,
  signInChanged,
  stale,
} from './notice-pages.ts'
import { firstChecked } from './scope-descriptions.ts'

/** GET: the form; or the way on, where it was submitted already. */
export async function showInteraction(context: InteractionContext): Promise<FastifyReply> {
  const state = await loadInteractionState(context, interactionIn(context.request.query))
  if (!state) return send(context, stale)
  if (state.interaction.result) return send(context, continuePage(state.interaction.returnTo))
  return send(context, await formOf(state, {}))
}

/** POST: what the owner decided. */
export async function submitInteraction(context: InteractionContext): Promise<FastifyReply> {
  return send(context, await submitted(context))
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

async function submitted(context: InteractionContext): Promise<PageResponse> {
  const { request, app } = context
  if (isForeign(request.headers, app.settings.base_url)) return foreignForm
  const fields = fieldsOf(request)
  if (!fields) return notFormData
  const state = await loadInteractionState(context, fields.get('interaction') ?? '')
  if (!state) return stale
  if (!isCsrfToken(csrfFacts(state), fields.get('csrf') ?? '')) return notThisForm
  // Submitted twice: the first time counts.
  if (state.interaction.result) return redirectBack(state)
  switch (fields.get('decision')) {
    case 'allow':
      return allow({ fields, state })
    case 'deny':
      return deny(state)
    case 'switch':
      return formOf(await signOut(state), { checked: fields.getAll('scope') })
    default:
      return notAForm
  }
}

function fieldsOf({ body, headers }: InteractionContext['request']): URLSearchParams | undefined {
  const type = headers['content-type'] ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return undefined
  if (typeof body === 'string') return new URLSearchParams(body)
  return Buffer.isBuffer(body) ? new URLSearchParams(body.toString()) : undefined
}

type Shown = { checked?: readonly string[]; email?: string; problem?: Problem }

async function formOf(state: InteractionState, shown: Shown): Promise<PageResponse> {
  return consentPage({
    ...(await consentView(state)),
    checked: shown.checked ?? firstChecked(state.asked),
    email: shown.email ?? state.login_hint,
    problem: shown.problem ?? null,
  })
}

/** `session_id`: the log-in that is enough; null: the password was given just now. */
type Owner = { customer_id: string; password_of: Date; session_id: bigint | null }

async function allow({ fields, state }: Form): Promise<PageResponse> {
  const checked = fields.getAll('scope')
  const email = fields.get('email') ?? ''
  const again = (problem: Problem) => formOf(state, { checked, email, problem })
  const { boxes } = state.asked
  if (boxes.length > 0 && !boxes.some((scope) => checked.includes(scope)))
    return again({ kind: 'nothing_checked' })
  const owner = await ownerOf({ fields, state })
  if ('kind' in owner) return again(owner)
  if (hintsOtherAccount(state.interaction, owner.customer_id)) return again({ kind: 'not_meant' })
  return consent(state, owner, checked)
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
  // The address may have gone to another account meanwhile.
  if (login && login.customer.id !== customer_id) return { kind: 'wrong' }
  return { customer_id, password_of: password_changed_at, session_id: null }
}

async function consent(
  state: InteractionState,
  { customer_id, password_of, session_id }: Owner,
  checked: readonly string[],
): Promise<PageResponse> {
  const { context, interaction, client, destination, resources, asked } = state
  // Else the library would ask the browser to log the other account out first, by a script.
  const other = await signedInAccount(state)
  const own = other && other !== customer_id ? await signOut(state) : state
  const { redirect_host } = destination
  const given = await giveConsent(context, {
    interaction: interaction.uid,
    customer_id,
    session_id,
    client: { id: client.id, name: client.name, redirect_host },
    resources,
    asked,
    checked,
    password_of,
    agent_identifier: agentOf(context.request.headers['user-agent']),
    address: context.address,
  })
  if (given.kind !== 'given') return given.kind === 'changed' ? signInChanged : stale
  const login = session_id === null ? { login: { accountId: customer_id, amr: ['pwd'] } } : {}
  return finish(own, { ...login, consent: { grantId: given.grant_id } })
}

function deny(state: InteractionState): Promise<PageResponse> {
  const error_description = 'the owner of the account did not consent'
  return finish(state, { error: 'access_denied', error_description })
}

/** A label that is safe in logs and in the audit. */
function agentOf(text: string | undefined): string {
  const printable = (text ?? '').replaceAll(/[^\x20-\x7e]/g, '?').trim()
  return printable === '' ? 'unknown' : printable.slice(0, 200)
}
