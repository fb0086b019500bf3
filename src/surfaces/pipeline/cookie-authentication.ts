// Authentication by the session cookie, with its protection against cross-site request forgery
// (CSRF): browsers send a cookie with requests that other sites make, too.
import type { Caller, Operation } from '../../app.ts'
import { operatorCookieName } from '../../capabilities/operators/index.ts'
import { sessionCookieName } from '../../capabilities/sign-in/index.ts'
import type { Settings } from '../../config/config.ts'
import { unsupportedMedia } from '../../errors/faults.ts'
import type { Fault } from '../../kit/fault.ts'
import { ownOrigins } from '../../origins.ts'
import { crossSiteRequest, invalidToken } from './faults.ts'

/** The header fields that browsers set, and no page of another origin can forge. */
export type BrowserFields = {
  /** The cookies by name, without any name that was sent twice. */
  cookies: ReadonlyMap<string, string>
  /** Whether the request's method is safe (RFC 9110 section 9.2.1). */
  safe: boolean
  x_session: string | undefined
  sec_fetch_site: string | undefined
  origin: string | undefined
  content_type: string | undefined
  accept: string | undefined
}

type SessionReader = (token: string) => Promise<Caller | undefined>
/** The readers of the two cookies: a customer's session, and an operator's. */
type SessionReaders = { customer: SessionReader; operator: SessionReader }

export type CookieAuthenticator = {
  /**
   * The caller, or undefined without a cookie that this operation takes. Throws 401, 403 or 415.
   */
  authenticate: (operation: Operation, fields: BrowserFields) => Promise<Caller | undefined>
}

export function openCookieAuthenticator(
  settings: Settings,
  read: SessionReaders,
): CookieAuthenticator {
  const name = sessionCookieName(settings)
  const operatorName = operatorCookieName(settings)
  const ours = ownOrigins(settings)

  return {
    async authenticate(operation, fields) {
      if (fields.x_session === 'operator') return authenticateOperator(operation, fields)
      const token = fields.cookies.get(name)
      const isPublic = operation.who.about === 'anyone'
      const isForeign = fields.origin !== undefined && !ours.has(fields.origin)
      const needsProof = isForeign || !isSafe(operation, fields)
      const refusal = needsProof ? refusalOf(fields, ours) : undefined
      // A cookie that a page of another site asks for would belong to that site's account (log-in
      // CSRF).
      if (refusal && fields.x_session !== undefined) throw refusal
      if (token === undefined || !takesCookie(operation)) return undefined
      if (refusal && !isPublic) throw refusal
      const caller = refusal ? undefined : await read.customer(token)
      // Unlike a bearer token it is sent unasked, so an old one must not prevent a log-in.
      if (caller || isPublic) return caller
      throw invalidToken({ detail: 'The session of the cookie has ended.' })
    },
  }

  /**
   * Authenticates an operator, never without the proof, not even to read, so that no link of
   * another site opens an operator's page.
   */
  async function authenticateOperator(operation: Operation, fields: BrowserFields) {
    const refusal = refusalOf(fields, ours)
    if (refusal) throw refusal
    const token = fields.cookies.get(operatorName)
    const caller = token === undefined ? undefined : await read.operator(token)
    if (caller || token === undefined || operation.who.about === 'anyone') return caller
    throw invalidToken({
      detail: 'The session of the operator has ended.',
      hint: 'Log in again with the operator key: POST /v1/operator/login.',
    })
  }
}

/** Operators and the customer tool have keys, which no browser sends by itself. */
function takesCookie({ who }: Operation): boolean {
  return who.about !== 'service' && who.about !== 'customer_tool'
}

/** SameSite=Lax cookies come with links of other sites, so a GET that has an effect is not safe. */
function isSafe(operation: Operation, { safe }: BrowserFields): boolean {
  return safe && operation.effect === 'none'
}

function refusalOf(fields: BrowserFields, ours: ReadonlySet<string>): Fault | undefined {
  const { sec_fetch_site, origin, x_session, content_type } = fields
  const isOurs =
    sec_fetch_site === undefined
      ? origin !== undefined && ours.has(origin)
      : sec_fetch_site === 'same-origin'
  if (!isOurs) return crossSiteRequest()
  if (x_session === undefined)
    return crossSiteRequest({ detail: 'A request with the session cookie needs X-Session.' })
  const isJson = /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(content_type ?? 'application/json')
  return isJson ? undefined : unsupportedMedia()
}

export const noCookies: ReadonlyMap<string, string> = new Map()

/** The cookies of a request (RFC 6265 section 5.4). */
export function cookiesIn(header: string | undefined): ReadonlyMap<string, string> {
  const pairs = (header ?? '').split(';').map((pair): [string, string] => {
    const [name = '', ...value] = pair.split('=')
    return [name.trim(), value.join('=').trim()]
  })
  return new Map(pairs.filter(([name]) => pairs.filter(([other]) => other === name).length === 1))
}
