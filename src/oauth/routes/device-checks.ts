// Checks of the pages of the device flow that oidc-provider does not have: the limit on guessed
// codes (RFC 8628 section 5.1), the origin of a posted code, and the password beside it. The limit
// on polls is in checks.ts.
import type { FastifyReply } from 'fastify'
import { checkPassword } from '../../capabilities/sign-in/index.ts'
import type { DeviceLogIn } from '../device/device-log-in.ts'
import { tooManyCodesPage, withPassword } from '../device/device-pages.ts'
import { expiredFormPage } from '../device/device-problems.ts'
import { browserSession } from '../interaction/browser-session.ts'
import { isCrossSite } from '../interaction/csrf.ts'
import { crossSitePage } from '../interaction/notice-pages.ts'
import { limitedProblem, type Problem, problemOf } from '../interaction/problems.ts'
import { provenAccount } from '../interaction/progress.ts'
import type { Middleware } from '../provider/provider.ts'
import { deviceGrant, routes } from '../shared/endpoints.ts'
import type { PageResponse } from '../shared/page-layout.ts'
import { type Exchange, interval_s } from './checks.ts'

/** The guesses of one address. 20^8 codes exist, each for 15 minutes. */
const guesses = { name: 'device_codes', quota: 30, window_s: 600 }

/**
 * The link with the code in it only shows which program waits with it. The library would submit it
 * by a script, so that somebody else's link could go on without a click.
 */
export function fillInUserCode(exchange: Exchange): void {
  const { searchParams } = new URL(exchange.url, 'http://any')
  const entered = searchParams.get('user_code')
  const query = entered === null ? '' : `?${new URLSearchParams({ entered })}`
  exchange.url = routes.code_verification + query
}

export function refuseCrossSite({ parts, request, reply }: Exchange): FastifyReply | undefined {
  if (!isCrossSite(request.headers, parts.app.settings)) return undefined
  request.error_code = 'cross_site'
  return respond(reply, crossSitePage)
}

/** The library fails on a form without the session that its page began. */
export async function requireSession(exchange: Exchange): Promise<FastifyReply | undefined> {
  const { parts, request, reply } = exchange
  const { provider } = await parts.provider.current()
  if (await browserSession({ provider, request, reply })) return undefined
  request.error_code = 'no_session'
  return respond(reply, expiredFormPage)
}

/** Every code that is entered counts, right or wrong. */
export async function limitGuesses(exchange: Exchange): Promise<FastifyReply | undefined> {
  const { parts, request, reply } = exchange
  const { allowed, resets_s } = await parts.ports.count(guesses, parts.ports.addressOf(request))
  if (allowed) return undefined
  request.error_code = 'too_many_codes'
  return respond(reply, tooManyCodesPage(resets_s))
}

/** The library shows the page again where the code is not confirmed. It gets no password. */
export async function logInAtCode(exchange: Exchange): Promise<void> {
  const { parts, request, body } = exchange
  const form = new URLSearchParams(body?.toString() ?? '')
  if (form.get('confirm') !== withPassword) return
  const [email, password] = [form.get('email')?.trim() ?? '', form.get('password') ?? '']
  const tried = await tryPassword(exchange, { email, password })
  parts.device_log_ins.set(request, tried)
  for (const name of ['email', 'password']) form.delete(name)
  if (tried.kind === 'refused') form.delete('confirm')
  exchange.body = Buffer.from(form.toString())
}

type Given = { email: string; password: string }

async function tryPassword({ parts, request }: Exchange, given: Given): Promise<DeviceLogIn> {
  const { app, ports } = parts
  const { email, password } = given
  if (email === '' || password === '') return refused(email, problemOf('incomplete', false))
  const address = ports.addressOf(request)
  const checked = await checkPassword(app, { email, password, address })
  if (checked.kind === 'limited') return refused(email, limitedProblem(checked.retry_after_s))
  if (checked.kind === 'wrong') return refused(email, problemOf('wrong', false))
  const { customer_id, password_changed_at } = checked
  const now = app.clock.now()
  return {
    kind: 'proven',
    account: provenAccount(now, { customer_id, password_changed_at, amr: ['pwd'] }),
  }
}

function refused(email: string, problem: Problem): DeviceLogIn {
  return { kind: 'refused', email, problem }
}

/** A link shows whether a program waits with its code, so it counts as well. */
export async function limitLinks(exchange: Exchange): Promise<FastifyReply | undefined> {
  return exchange.url === routes.code_verification ? undefined : limitGuesses(exchange)
}

function respond(reply: FastifyReply, { status, headers, body }: PageResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}

/**
 * Adds `interval`, which the library leaves out of its response (RFC 8628 section 3.2), and the
 * error of a client that did not register for the flow (RFC 6749 section 5.2).
 */
export function completeDeviceResponse(): Middleware {
  return async (ctx, next) => {
    await next()
    const body: Record<string, unknown> = Object(ctx.body)
    if (ctx.status === 200) ctx.body = { ...body, interval: interval_s }
    const client = ctx.oidc?.client
    if (body.error === 'invalid_request' && client?.grantTypeAllowed(deviceGrant) === false)
      ctx.body = { ...body, error: 'unauthorized_client' }
  }
}
