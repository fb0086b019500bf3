// The page in the middle of an authorization: shows it, and takes what was submitted. Every answer
// to a submission that leads on is a 303.
import type { FastifyReply } from 'fastify'
import { checkPassword } from '../../capabilities/sign-in/index.ts'
import type { Visit } from '../host-ports.ts'
import type { PageAnswer } from '../shared/page-layout.ts'
import { consentPage, type Problem } from './consent-page.ts'
import { isCsrfToken, isForeign } from './csrf.ts'
import { giveConsent } from './grant-consent.ts'
import { meansAnother } from './id-token-hint.ts'
import {
  accountInBrowser,
  csrfOf,
  finish,
  onward,
  openStanding,
  type Standing,
  signOut,
  viewOf,
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
export async function showInteraction(visit: Visit): Promise<FastifyReply> {
  const standing = await openStanding(visit, interactionIn(visit.request.query))
  if (!standing) return send(visit, stale)
  if (standing.interaction.result) return send(visit, continuePage(standing.interaction.returnTo))
  return send(visit, await formOf(standing, {}))
}

/** POST: what the owner decided. */
export async function submitInteraction(visit: Visit): Promise<FastifyReply> {
  return send(visit, await submitted(visit))
}

function send({ reply }: Visit, { status, headers, body }: PageAnswer): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}

function interactionIn(query: unknown): string {
  const fields: Record<string, unknown> = Object(query)
  return typeof fields.interaction === 'string' ? fields.interaction : ''
}

type Form = { fields: URLSearchParams; standing: Standing }

async function submitted(visit: Visit): Promise<PageAnswer> {
  const { request, app } = visit
  if (isForeign(request.headers, app.settings.base_url)) return foreignForm
  const fields = fieldsOf(request)
  if (!fields) return notFormData
  const standing = await openStanding(visit, fields.get('interaction') ?? '')
  if (!standing) return stale
  if (!isCsrfToken(csrfOf(standing), fields.get('csrf') ?? '')) return notThisForm
  // Submitted twice: the first time counts.
  if (standing.interaction.result) return onward(standing)
  switch (fields.get('decision')) {
    case 'allow':
      return allow({ fields, standing })
    case 'deny':
      return deny(standing)
    case 'switch':
      return formOf(await signOut(standing), { checked: fields.getAll('scope') })
    default:
      return notAForm
  }
}

function fieldsOf({ body, headers }: Visit['request']): URLSearchParams | undefined {
  const type = headers['content-type'] ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return undefined
  if (typeof body === 'string') return new URLSearchParams(body)
  return Buffer.isBuffer(body) ? new URLSearchParams(body.toString()) : undefined
}

type Shown = { checked?: readonly string[]; email?: string; problem?: Problem }

async function formOf(standing: Standing, shown: Shown): Promise<PageAnswer> {
  return consentPage({
    ...(await viewOf(standing)),
    checked: shown.checked ?? firstChecked(standing.asked),
    email: shown.email ?? standing.login_hint,
    problem: shown.problem ?? null,
  })
}

/** `session_id`: the log-in that is enough; null: the password was given just now. */
type Owner = { customer_id: string; password_of: Date; session_id: bigint | null }

async function allow({ fields, standing }: Form): Promise<PageAnswer> {
  const checked = fields.getAll('scope')
  const email = fields.get('email') ?? ''
  const again = (problem: Problem) => formOf(standing, { checked, email, problem })
  const { boxes } = standing.asked
  if (boxes.length > 0 && !boxes.some((scope) => checked.includes(scope)))
    return again({ kind: 'nothing_checked' })
  const owner = await ownerOf({ fields, standing })
  if ('kind' in owner) return again(owner)
  if (meansAnother(standing.interaction, owner.customer_id)) return again({ kind: 'not_meant' })
  return consent(standing, owner, checked)
}

async function ownerOf({ fields, standing }: Form): Promise<Owner | Problem> {
  const { visit, log_in, at } = standing
  if (log_in && !log_in.asks_password)
    return { customer_id: log_in.customer.id, password_of: at, session_id: log_in.session_id }
  const email = log_in?.customer.email ?? (fields.get('email') ?? '').trim()
  const password = fields.get('password') ?? ''
  if (email === '' || password === '') return { kind: 'incomplete' }
  const checked = await checkPassword(visit.app, { email, password, address: visit.address })
  if (checked.kind !== 'good') return checked
  const { customer_id, password_changed_at } = checked
  // The address may have gone to another account meanwhile.
  if (log_in && log_in.customer.id !== customer_id) return { kind: 'wrong' }
  return { customer_id, password_of: password_changed_at, session_id: null }
}

async function consent(
  standing: Standing,
  { customer_id, password_of, session_id }: Owner,
  checked: readonly string[],
): Promise<PageAnswer> {
  const { visit, interaction, client, destination, resources, asked } = standing
  // Else the library would ask the browser to log the other account out first, by a script.
  const other = await accountInBrowser(standing)
  const own = other && other !== customer_id ? await signOut(standing) : standing
  const { redirect_host } = destination
  const given = await giveConsent(visit, {
    interaction: interaction.uid,
    customer_id,
    session_id,
    client: { id: client.id, name: client.name, redirect_host },
    resources,
    asked,
    checked,
    password_of,
    agent_identifier: agentOf(visit.request.headers['user-agent']),
    address: visit.address,
  })
  if (given.kind !== 'given') return given.kind === 'changed' ? signInChanged : stale
  const login = session_id === null ? { login: { accountId: customer_id, amr: ['pwd'] } } : {}
  return finish(own, { ...login, consent: { grantId: given.grant_id } })
}

function deny(standing: Standing): Promise<PageAnswer> {
  const error_description = 'the owner of the account did not consent'
  return finish(standing, { error: 'access_denied', error_description })
}

/** A label that is safe in logs and in the audit. */
function agentOf(text: string | undefined): string {
  const printable = (text ?? '').replaceAll(/[^\x20-\x7e]/g, '?').trim()
  return printable === '' ? 'unknown' : printable.slice(0, 200)
}
