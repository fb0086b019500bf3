// The interaction of an authorization: shows its pages and handles their submissions. Every
// redirect after a submission is a 303.
import type { FastifyReply } from 'fastify'
import type { InteractionContext } from '../host-ports.ts'
import { continueAs, useAnotherAccount } from '../log-in/dashboard-log-in.ts'
import { logInWithPasskey, logInWithPassword } from '../log-in/log-in.ts'
import { showPage } from '../log-in/pages.ts'
import { knownProblem } from '../log-in/problems.ts'
import { confirmSignUp, requestSignUp, resendCode, verifyCode } from '../log-in/sign-up.ts'
import {
  finishSingleSignOn,
  linkIdentity,
  mailLinkDigits,
  startSingleSignOn,
  takeSsoTicket,
} from '../log-in/single-sign-on.ts'
import { ofEnvironment, type PageResponse } from '../shared/page-layout.ts'
import { allow, deny } from './allow.ts'
import { isCrossSite, isCsrfToken } from './csrf.ts'
import {
  csrfFacts,
  type Form,
  loadInteractionState,
  redirectBack,
  resumePath,
  saveProgress,
} from './interaction-state.ts'
import {
  continuePage,
  crossSitePage,
  csrfMismatchPage,
  expiredPage,
  notFormDataPage,
  unreadableFormPage,
} from './notice-pages.ts'

/** GET: the page, or the redirect if the decision was submitted already. */
export async function showInteraction(context: InteractionContext): Promise<FastifyReply> {
  const query: Record<string, unknown> = Object(context.request.query)
  const id = textOf(query.interaction)
  const ticket = takeSsoTicket(context, id)
  const state = await loadInteractionState(context, id)
  if (!state) return send(context, expiredPage)
  if (state.interaction.result) return send(context, continuePage(resumePath(state.interaction)))
  const error_code = textOf(query.sso_error)
  if (error_code !== '') return send(context, await showPage(state, knownProblem(error_code)))
  if (ticket !== undefined) return send(context, await finishSingleSignOn(state, ticket))
  return send(context, await showPage(state))
}

/** POST: the next step, or the owner's decision. */
export async function submitInteraction(context: InteractionContext): Promise<FastifyReply> {
  return send(context, await handleSubmission(context))
}

function send({ app, reply }: InteractionContext, page: PageResponse): FastifyReply {
  const { status, headers, body } = ofEnvironment(page, app.settings)
  return reply.code(status).headers(headers).send(body)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

async function handleSubmission(context: InteractionContext): Promise<PageResponse> {
  const { request, app } = context
  if (isCrossSite(request.headers, app.settings)) return crossSitePage
  const fields = fieldsOf(request)
  if (!fields) return notFormDataPage
  const state = await loadInteractionState(context, fields.get('interaction') ?? '')
  if (!state) return expiredPage
  if (!isCsrfToken(csrfFacts(state), fields.get('csrf') ?? '')) return csrfMismatchPage
  // Submitted twice: the first one counts.
  if (state.interaction.result) return redirectBack(state)
  const decision = fields.get('decision') ?? ''
  const handle = handlers.get(decision.split(':')[0] ?? '')
  return handle ? handle({ fields, state }) : unreadableFormPage
}

type Handler = (form: Form) => Promise<PageResponse>

/** By the value of the button, up to its colon. */
const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['allow', allow],
  ['deny', ({ state }) => deny(state)],
  ['switch', useAnotherAccount],
  ['continue', continueAs],
  ['log_in', logInWithPassword],
  ['passkey', logInWithPasskey],
  ['sso', startSingleSignOn],
  ['link', linkIdentity],
  ['link_code', mailLinkDigits],
  ['sign_up', requestSignUp],
  ['verify', verifyCode],
  ['resend', resendCode],
  ['confirmed', confirmSignUp],
  ['show_log_in', ({ state }) => show(state, { page: 'log_in', sign_up: null, link: null })],
  ['show_sign_up', ({ state }) => show(state, { page: 'sign_up', sign_up: null, link: null })],
])

async function show(
  state: Form['state'],
  changed: Parameters<typeof saveProgress>[1],
): Promise<PageResponse> {
  return showPage(await saveProgress(state, changed))
}

function fieldsOf({ body, headers }: InteractionContext['request']): URLSearchParams | undefined {
  const type = headers['content-type'] ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return undefined
  if (typeof body === 'string') return new URLSearchParams(body)
  return Buffer.isBuffer(body) ? new URLSearchParams(body.toString()) : undefined
}
