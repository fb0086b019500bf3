// Binding of mails to a browser, for the sandbox's mailbox: a cookie with the ids of the requests
// that this browser made, authenticated by an HMAC, so that the service keeps no state for it.
import { timingSafeEqual } from 'node:crypto'
import type { App, Call } from '../../../app.ts'
import { isOnLoopback } from '../../../origins.ts'
import { hostCookieName } from './session-cookie.ts'

const most = 5
const life_s = 86_400
const separator = '.'

type Sealing = Pick<App, 'settings' | 'encryption'>

/** Whether callers other than operators have a mailbox at all. */
export function hasBrowserMailbox({ settings, mailbox }: Pick<App, 'settings' | 'mailbox'>) {
  return mailbox !== null && isOnLoopback(settings)
}

/** Response headers that bind this request to the browser; none where there is no mailbox. */
export function rememberRequest(app: App, call: Call, id: string): Record<string, string> {
  if (!hasBrowserMailbox(app)) return {}
  const ids = [...requestsOfBrowser(app, call), id].slice(-most)
  const value = [...ids, ...macsOf(app, ids).slice(0, 1)].join(separator)
  const attributes = `Max-Age=${life_s}; Path=/; Secure; HttpOnly; SameSite=Strict`
  return { 'Set-Cookie': `${nameOf(app)}=${value}; ${attributes}` }
}

/** The requests that this browser made, oldest first; none when the cookie is not ours. */
export function requestsOfBrowser(app: Sealing, { cookies }: Pick<Call, 'cookies'>): string[] {
  const ids = (cookies.get(nameOf(app)) ?? '').split(separator)
  const given = Buffer.from(ids.pop() ?? '')
  const isOurs = macsOf(app, ids).some((mac) => {
    const expected = Buffer.from(mac)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return isOurs ? ids : []
}

/** The MAC by the current key first; a cookie may be older than that key. */
function macsOf({ encryption }: Sealing, ids: readonly string[]): string[] {
  return encryption
    .hmacs(`requests of a browser ${ids.join(separator)}`)
    .map((mac) => Buffer.from(mac, 'base64').toString('base64url'))
}

function nameOf({ settings }: Sealing): string {
  return hostCookieName(settings, 'mailbox')
}
