// The page of a mailed link sets the password and works without scripts. It calls the operation
// that the API has for it, so limits, audit and refusals are the same.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import {
  confirmPasswordReset,
  type OpenLink,
  openLink,
  requestPasswordReset,
} from '../../capabilities/sign-in/index.ts'
import { pageErrorHandler } from '../../oauth/routes/page-error-handler.ts'
import { ofEnvironment, type PageResponse, seeOther } from '../../oauth/shared/page-layout.ts'
import { draining } from '../pipeline/faults.ts'
import type { IncomingRequest, PipelineResponse } from '../pipeline/pipeline.ts'
import { incomingRequest } from '../rest/request.ts'
import type { RestParts } from '../rest/server.ts'
import {
  askedPage,
  deadLinkPage,
  donePage,
  forgottenPage,
  formPage,
  notSentPage,
  unavailablePage,
} from './password-page-html.ts'

type PasswordPageParts = RestParts & { app: Pick<App, 'db' | 'clock'> }

const at = '/password'
const done = `${at}/done`
/** The path where a mail with a link is requested. The log-in page leads there. */
const forgotten = `${at}/forgotten`
const asked = `${forgotten}/asked`
const mostBody = 16_384

/**
 * GET shows the form and changes nothing, because programs open the links in mails before people
 * do. POST sets the password. No other page knows its token, so none can submit it.
 */
export function addPasswordPage(server: FastifyInstance, parts: PasswordPageParts): void {
  server.register((scope, _options, ready) => {
    scope.setErrorHandler(pageErrorHandler('then load this page again.'))
    scope.removeAllContentTypeParsers()
    const form = { parseAs: 'string', bodyLimit: mostBody } as const
    scope.addContentTypeParser('application/x-www-form-urlencoded', form, (_request, body, next) =>
      next(null, new URLSearchParams(body.toString())),
    )
    scope.get(at, async (request, reply) => {
      await enter(parts, request)
      return send(parts, reply, await shown(parts, request))
    })
    scope.post(at, async (request, reply) => {
      if (parts.shutdown.aborted) throw draining({ retry_after_s: 1 })
      return send(parts, reply, await submitted(parts, request))
    })
    scope.get(done, async (request, reply) => {
      await enter(parts, request)
      return send(parts, reply, donePage())
    })
    addForgotten(scope, parts)
    ready()
  })
}

/** The response does not depend on whether an account has the address. A job looks that up. */
function addForgotten(scope: FastifyInstance, parts: PasswordPageParts): void {
  scope.get(forgotten, async (request, reply) => {
    await enter(parts, request)
    return send(parts, reply, forgottenPage({ email: '', problem: false }))
  })
  scope.post(forgotten, async (request, reply) => {
    if (parts.shutdown.aborted) throw draining({ retry_after_s: 1 })
    const email = fieldsOf(request).get('email')?.trim() ?? ''
    const answered = await callWith(parts, request, {
      operation: requestPasswordReset,
      body: { email },
    })
    const { status, headers } = answered
    if (status === 200) return send(parts, reply, seeOther(`${parts.settings.base_url}${asked}`))
    if (status === 422) return send(parts, reply, forgottenPage({ email, problem: true }))
    return send(parts, reply, notSentPage(status, headers['Retry-After']))
  })
  scope.get(asked, async (request, reply) => {
    await enter(parts, request)
    return send(parts, reply, askedPage())
  })
}

function fieldsOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}

type Calling = {
  operation: typeof confirmPasswordReset | typeof requestPasswordReset
  body: Record<string, string>
}

/** The API's response to these fields. The log has it as it has those of every request. */
async function callWith(
  parts: PasswordPageParts,
  request: FastifyRequest,
  { operation, body }: Calling,
): Promise<PipelineResponse> {
  const answered = await parts.pipeline.call(operation, {
    ...anonymously(incomingRequest(request, parts.addressOf)),
    input: { path: {}, query: {}, header: {}, body },
  })
  request.error_code = answered.error_code
  request.cause = answered.cause ?? null
  return answered
}

function send(
  { settings }: PasswordPageParts,
  reply: FastifyReply,
  page: PageResponse,
): FastifyReply {
  const { status, headers, body } = ofEnvironment(page, settings)
  return reply.code(status).headers(headers).send(body)
}

/** Readers are counted by address, as on every surface. */
async function enter({ pipeline, addressOf }: PasswordPageParts, request: FastifyRequest) {
  await pipeline.admit(anonymously(incomingRequest(request, addressOf)), 1)
}

/** The request without its bearer token, because a page knows none. */
function anonymously(incoming: IncomingRequest): IncomingRequest {
  return { ...incoming, entry_point: 'dashboard', authorization: undefined, tokenInQuery: false }
}

async function shown({ app }: PasswordPageParts, request: FastifyRequest): Promise<PageResponse> {
  const { token }: Record<string, unknown> = Object(request.query)
  const link = typeof token === 'string' ? await openLink(app, token) : undefined
  if (!link || typeof token !== 'string') return deadLinkPage()
  return formPage({ ...formOf(token, link), problem: null })
}

function formOf(token: string, { email, kind, logs_out }: OpenLink) {
  return { token, email, kind, logs_out }
}

async function submitted(parts: PasswordPageParts, request: FastifyRequest): Promise<PageResponse> {
  const fields = fieldsOf(request)
  const [token = '', password = '', again = ''] = ['token', 'password', 'again'].map(
    (name) => fields.get(name) ?? '',
  )
  if (password !== again) {
    await enter(parts, request)
    const link = await openLink(parts.app, token)
    const problem = 'The passwords do not match. Type the same password into both fields.'
    return link ? formPage({ ...formOf(token, link), problem }) : deadLinkPage()
  }
  const answered = await callWith(parts, request, {
    operation: confirmPasswordReset,
    body: { token, password },
  })
  return answerOf(parts, token, answered)
}

async function answerOf(
  { app, settings }: PasswordPageParts,
  token: string,
  { status, body, headers }: PipelineResponse,
): Promise<PageResponse> {
  if (status === 200) return seeOther(`${settings.base_url}${done}`)
  const link = await openLink(app, token)
  if (!link || status === 403) return deadLinkPage()
  if (status !== 422) return unavailablePage(status, headers['Retry-After'])
  return formPage({ ...formOf(token, link), problem: sentenceOf(body) })
}

/** The sentence about the password from the 422. Nothing can be wrong with the token here. */
function sentenceOf(body: unknown): string {
  const [first] = [Object(body).detail].flat()
  const message = String(Object(first).msg ?? '')
  const words = message.replace(/^(String|Password) should /, '')
  return `The password should ${words}.`
}
