// Checks of the pages of the device flow that oidc-provider does not have: the limit on guessed
// codes (RFC 8628 section 5.1), and the origin of a posted code. The limit
// on polls is in checks.ts.
import type { FastifyReply } from 'fastify'
import { browserSession } from '../consent/browser-session.ts'
import { isCrossSite } from '../consent/csrf.ts'
import { crossSitePage } from '../consent/notice-pages.ts'
import { deviceGrant, routes } from '../provider/endpoints.ts'
import type { Middleware } from '../provider/provider.ts'
import { type Exchange, interval_s } from '../routes/checks.ts'
import type { PageResponse } from '../shared/page-layout.ts'
import { tooManyCodesPage } from './device-pages.ts'
import { expiredFormPage } from './device-problems.ts'

/** Of one address: 20^8 codes exist, each for 15 minutes. */
const guesses = { name: 'device_codes', quota: 30, window_s: 600 }

/**
 * The link with the code in it only fills in the form: the library would submit it by a script, and
 * a link of somebody else's could go on without a click.
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

function respond(reply: FastifyReply, { status, headers, body }: PageResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}

/**
 * `interval`, which the library leaves out of its response (RFC 8628 section 3.2), and the error of
 * a client that did not register for the flow (RFC 6749 section 5.2).
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
