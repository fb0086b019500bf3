// Checks of the device flow that oidc-provider does not have: how often a client polls (RFC 8628
// section 3.5), how many codes are guessed (section 5.1), and which page posts the code.
import type { FastifyReply } from 'fastify'
import { hashSecret } from '../../kit/random.ts'
import { browserSession } from '../consent/browser-session.ts'
import { isCrossSite } from '../consent/csrf.ts'
import { crossSitePage } from '../consent/notice-pages.ts'
import { deviceGrant, routes } from '../provider/endpoints.ts'
import type { Middleware } from '../provider/provider.ts'
import type { Exchange } from '../routes/checks.ts'
import type { PageResponse } from '../shared/page-layout.ts'
import { notePoll } from '../storage/models.sql.ts'
import { tooManyCodesPage } from './device-pages.ts'
import { expiredFormPage } from './device-problems.ts'

/** Seconds between two polls, at least. */
export const interval_s = 5
/** A timer of the client may fire early, and a request before it may have been slow. */
const leeway_ms = 500n

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

/** `slow_down` for a poll before its interval has passed, which then is 5 s longer. */
export async function slowDownPolls(exchange: Exchange): Promise<FastifyReply | undefined> {
  const { parts, request, reply, body } = exchange
  const form = new URLSearchParams(body?.toString() ?? '')
  if (form.get('grant_type') !== deviceGrant) return undefined
  const code = form.get('device_code') ?? ''
  // Not of the form of our codes, and never looked up.
  if (/[^\w-]/.test(code))
    return refuse({ request, reply }, 'invalid_grant', 'device code not found')
  const now_ms = BigInt(parts.app.clock.now().getTime())
  const poll = { id_hash: hashSecret(code), interval_s, leeway_ms }
  const row = await parts.app.db.maybe(notePoll, { ...poll, now_ms })
  if (row?.early !== true) return undefined
  return refuse({ request, reply }, 'slow_down', 'wait 5 seconds longer between two polls')
}

type Refusing = Pick<Exchange, 'request' | 'reply'>

function refuse({ request, reply }: Refusing, error: string, error_description: string) {
  request.error_code = error
  return reply
    .code(400)
    .headers({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    .send(JSON.stringify({ error, error_description }))
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
