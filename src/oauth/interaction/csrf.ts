// CSRF protection of the consent form: a token derived from secrets of the interaction, and a check
// of the origin. No other page, and no other browser, can submit the form.
import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Settings } from '../../config/config.ts'
import { sameSecret } from '../../kit/random.ts'
import { ownOrigins } from '../../origins.ts'

/** `cid` never leaves the server. `session` is the login that the page was shown under. */
export type CsrfFacts = { uid: string; cid: string; session: string }

export function csrfToken({ uid, cid, session }: CsrfFacts): string {
  return createHmac('sha256', cid).update(`consent\n${uid}\n${session}`).digest('base64url')
}

export function isCsrfToken(facts: CsrfFacts, given: string): boolean {
  return facts.cid !== '' && sameSecret(csrfToken(facts), given)
}

/**
 * Whether a page of another site made the submission. A page with Referrer-Policy no-referrer
 * submits with "Origin: null", and then Sec-Fetch-Site decides; clients that are not browsers send
 * neither.
 */
export function isCrossSite(
  headers: IncomingHttpHeaders,
  roots: Pick<Settings, 'base_url' | 'environment'>,
): boolean {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  if (origin === undefined || ownOrigins(roots).has(origin)) return false
  return origin !== 'null' || site === undefined
}
