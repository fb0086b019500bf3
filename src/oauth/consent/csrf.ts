// The token that a form must send back: made of what the server alone knows of this interaction, so
// that no other page, and no other browser, can submit it.
import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { sameSecret } from '../../kit/secret.ts'

/** `cid` never leaves the server. `session` is the log-in that the page was shown under. */
export type CsrfFacts = { uid: string; cid: string; session: string }

export function csrfToken({ uid, cid, session }: CsrfFacts): string {
  return createHmac('sha256', cid).update(`consent\n${uid}\n${session}`).digest('base64url')
}

export function isCsrfToken(facts: CsrfFacts, given: string): boolean {
  return facts.cid !== '' && sameSecret(csrfToken(facts), given)
}

/**
 * Whether a submission was made by a page of another site. A page with Referrer-Policy no-referrer
 * submits with "Origin: null", and then Sec-Fetch-Site tells; programs send neither.
 */
export function isForeign(headers: IncomingHttpHeaders, base_url: string): boolean {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  if (origin === undefined || origin === new URL(base_url).origin) return false
  return origin !== 'null' || site === undefined
}
