// The router of interactions gives each submission to its step and renders the result. Every
// redirect after a submission is a 303.
import type { FastifyReply } from 'fastify'
import { allow, deny } from '../consent/allow.ts'
import type { InteractionContext } from '../host-ports.ts'
import { isCrossSite, isCsrfToken } from '../interaction/csrf.ts'
import {
  csrfFacts,
  type Form,
  type InteractionState,
  loadInteractionState,
  pageOf,
  resumePath,
  saveProgress,
} from '../interaction/interaction-state.ts'
import { type NextStep, show } from '../interaction/next-step.ts'
import {
  continuePage,
  crossSitePage,
  csrfMismatchPage,
  expiredPage,
  notFormDataPage,
  passwordChangedPage,
  unreadableFormPage,
} from '../interaction/notice-pages.ts'
import { knownProblem } from '../interaction/problems.ts'
import { continueAs, useAnotherAccount } from '../log-in/dashboard-log-in.ts'
import { logInWithPasskey, logInWithPassword } from '../log-in/log-in.ts'
import { confirmSignUp, requestSignUp, resendCode, verifyCode } from '../log-in/sign-up.ts'
import {
  finishSingleSignOn,
  linkIdentity,
  mailLinkDigits,
  startSingleSignOn,
  takeSsoTicket,
} from '../log-in/single-sign-on.ts'
import { ofEnvironment, type PageResponse, seeOther } from '../shared/page-layout.ts'
import { showPage } from './pages.ts'

/** Answers GET with the page, or with the redirect if the decision was submitted already. */
export async function showInteraction(context: InteractionContext): Promise<FastifyReply> {
  const query: Record<string, unknown> = Object(context.request.query)
  const id = textOf(query.interaction)
  const ticket = takeSsoTicket(context, id)
  const state = await loadInteractionState(context, id)
  if (!state) return send(context, expiredPage)
  if (state.interaction.result) return send(context, continuePage(resumePath(state.interaction)))
  return send(
    context,
    await render(context, await nextAtReturn(state, textOf(query.sso_error), ticket)),
  )
}

/**
 * The next step where the browser comes back from an identity provider, with an error or a ticket.
 */
async function nextAtReturn(
  state: InteractionState,
  error_code: string,
  ticket: string | undefined,
): Promise<NextStep> {
  if (error_code !== '') return show(state, knownProblem(error_code))
  return ticket === undefined ? show(state) : finishSingleSignOn(state, ticket)
}

/** Answers POST with the next step, or stores the owner's decision. */
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
  // The decision was submitted twice, and the first one counts.
  if (state.interaction.result) return redirectBack(state)
  const decision = fields.get('decision') ?? ''
  const handle = handlers.get(decision.split(':')[0] ?? '')
  return handle ? render(context, await handle({ fields, state })) : unreadableFormPage
}

async function render(context: InteractionContext, next: NextStep): Promise<PageResponse> {
  switch (next.kind) {
    case 'show':
      return showPage(next)
    case 'redirect': {
      const { to, goal } = next
      // A browser checks redirects after a form against its form-action, which no provider is in.
      return goal === 'provider' && isBrowser(context) ? continuePage(to, goal) : seeOther(to)
    }
    case 'decided':
      return redirectBack(next.state)
    case 'ended':
      return next.why === 'password_changed' ? passwordChangedPage : expiredPage
  }
}

/** A browser is redirected by a page of ours (notice-pages.ts says why), other clients at once. */
function redirectBack({ context, interaction }: InteractionState): PageResponse {
  return seeOther(isBrowser(context) ? pageOf(interaction) : resumePath(interaction))
}

function isBrowser({ request }: InteractionContext): boolean {
  return request.headers['sec-fetch-dest'] === 'document'
}

type Handler = (form: Form) => Promise<NextStep>

/** The handlers by the value of the button, up to its colon. */
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
  ['show_log_in', ({ state }) => turnTo(state, { page: 'log_in', sign_up: null, link: null })],
  ['show_sign_up', ({ state }) => turnTo(state, { page: 'sign_up', sign_up: null, link: null })],
])

async function turnTo(
  state: Form['state'],
  changed: Parameters<typeof saveProgress>[1],
): Promise<NextStep> {
  return show(await saveProgress(state, changed))
}

function fieldsOf({ body, headers }: InteractionContext['request']): URLSearchParams | undefined {
  const type = headers['content-type'] ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return undefined
  if (typeof body === 'string') return new URLSearchParams(body)
  return Buffer.isBuffer(body) ? new URLSearchParams(body.toString()) : undefined
}
