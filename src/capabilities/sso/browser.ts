// The browser of a log-in through an identity provider: a cookie that binds state and tickets to
// it, and the paths to which it may return.
import { pathAt } from '../../../shared/own-path.ts'
import type { App, Call } from '../../app.ts'
import { hashSecret, isWellFormedSecret, newSecret } from '../../kit/random.ts'
import { ownOrigins, pageOrigin, pageRoot } from '../../origins.ts'
import { hostCookieName } from '../sign-in/index.ts'

const prefix = 'ssb_'
/** The cookie lasts as long as state, ticket and link together. */
const life_s = 30 * 60

type Parts = Pick<App, 'settings'>

function given({ settings }: Parts, { cookies }: Call): string | undefined {
  const value = cookies.get(hostCookieName(settings, 'sso'))
  return value !== undefined && isWellFormedSecret(prefix, value) ? value : undefined
}

/** The browser of a call, as rows name it; undefined without its cookie. */
export function browserOf(app: Parts, call: Call): Buffer | undefined {
  const value = given(app, call)
  return value === undefined ? undefined : hashSecret(value)
}

/**
 * The cookie for a browser that starts. One that has it keeps it, so that log-ins in several tabs
 * work. SameSite=Lax: the provider's response is a navigation from another site.
 */
export function browserCookie(app: Parts, call: Call): { browser_hash: Buffer; header: string } {
  const value = given(app, call) ?? newSecret(prefix).value
  const name = hostCookieName(app.settings, 'sso')
  const attributes = `Max-Age=${life_s}; Path=/; Secure; HttpOnly; SameSite=Lax`
  return { browser_hash: hashSecret(value), header: `${name}=${value}; ${attributes}` }
}

/**
 * The cookie of a ticket for a page that works without scripts, and so reads no fragment. Its name
 * has the interaction, as a ticket is for the app whose page started alone.
 */
export function ticketCookieName({ settings }: Parts, interaction: string): string {
  return `${hostCookieName(settings, 'sso-ticket')}.${interaction}`
}

/** The interaction to whose page a log-in returns: that of an app that asks for access. */
export function interactionIn(return_to: string | null): string | undefined {
  return /^\/oauth\/authorize\?interaction=([\w-]+)$/.exec(return_to ?? '')?.[1]
}

export function redirectUri({ settings }: Parts, provider: string): string {
  return `${pageRoot(settings)}/v1/dashboard/sso/${provider}/callback`
}

/**
 * A path of this service, in the form in which a browser reads it, or undefined for another text.
 */
export function ownPath({ settings }: Parts, given: string): string | undefined {
  return pathAt(pageOrigin(settings), ownOrigins(settings), given)
}
