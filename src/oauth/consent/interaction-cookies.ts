// Several log-in pages in one browser: which interactions it began. The library's own cookie knows
// the newest alone.
import { createHmac } from 'node:crypto'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { sameSecret } from '../../kit/secret.ts'
import type { InteractionContext } from '../host-ports.ts'
import { lifetimes } from '../provider/lifetimes.ts'

// A page that opens windows could else fill the header that every request carries.
const most = 8

/** `cid` never leaves the server. */
type Begun = { uid: string; cid: string }

/** With the prefix of all paths, as __Host- needs. */
function cookieOf(provider: Provider, uid: string): string {
  return `${provider.cookieName('interaction')}s.${uid}`
}

function proof({ uid, cid }: Begun): string {
  return createHmac('sha256', cid).update(`tab\n${uid}`).digest('base64url')
}

/** Ids and proofs, the oldest first (RFC 6265 section 5.4). */
function interactionCookies(
  header: string | undefined,
  provider: Provider,
): { uid: string; shown: string }[] {
  const start = cookieOf(provider, '')
  return (header ?? '').split(/;\s*/).flatMap((pair) => {
    const [name = '', shown = ''] = pair.split('=')
    return name.startsWith(start) ? [{ uid: name.slice(start.length), shown }] : []
  })
}

/**
 * Notes an interaction that began in this browser, in a cookie of its own: tabs that open at the
 * same moment know nothing of each other.
 */
export function rememberInteraction(
  { cookies, oidc, req }: KoaContextWithOIDC,
  begun: Begun,
): void {
  const { provider, issuer } = oidc
  const options = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: issuer.startsWith('https:'),
    signed: false,
  } as const
  const tabs = interactionCookies(req.headers.cookie, provider).filter(
    ({ uid }) => uid !== begun.uid,
  )
  for (const { uid } of tabs.slice(0, Math.max(0, tabs.length + 1 - most)))
    cookies.set(cookieOf(provider, uid), null, options)
  const maxAge = lifetimes.interaction_s * 1_000
  cookies.set(cookieOf(provider, begun.uid), proof(begun), { ...options, maxAge })
}

/** Whether the interaction began in this browser. */
export function isOwnInteraction({ provider, request }: InteractionContext, begun: Begun): boolean {
  const tabs = interactionCookies(request.headers.cookie, provider)
  return tabs.some(({ uid, shown }) => uid === begun.uid && sameSecret(proof(begun), shown))
}
