// Several consent pages in one browser: a cookie for each interaction that it began. The library's
// own cookie has only the newest.
import { createHmac } from 'node:crypto'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { sameSecret } from '../../kit/random.ts'
import type { InteractionContext } from '../host-ports.ts'
import { lifetimes } from '../shared/lifetimes.ts'

// A page that opens windows could otherwise fill the Cookie header of every request.
const most = 8

/** `cid` never leaves the server. */
type InteractionIds = { uid: string; cid: string }

/** The cookie is valid for all paths, as __Host- requires. */
function cookieOf(provider: Provider, uid: string): string {
  return `${provider.cookieName('interaction')}s.${uid}`
}

function proofOf({ uid, cid }: InteractionIds): string {
  return createHmac('sha256', cid).update(`tab\n${uid}`).digest('base64url')
}

/** The ids and proofs in the cookies, the oldest first (RFC 6265 section 5.4). */
function interactionCookies(
  header: string | undefined,
  provider: Provider,
): { uid: string; proof: string }[] {
  const prefix = cookieOf(provider, '')
  return (header ?? '').split(/;\s*/).flatMap((pair) => {
    const [name = '', proof = ''] = pair.split('=')
    return name.startsWith(prefix) ? [{ uid: name.slice(prefix.length), proof }] : []
  })
}

/**
 * Sets a separate cookie for an interaction that begins in this browser, because tabs that open at
 * the same moment do not know of each other.
 */
export function rememberInteraction(
  { cookies, oidc, req }: KoaContextWithOIDC,
  interaction: InteractionIds,
): void {
  const { provider, issuer } = oidc
  const options = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: issuer.startsWith('https:'),
    signed: false,
  } as const
  const others = interactionCookies(req.headers.cookie, provider).filter(
    ({ uid }) => uid !== interaction.uid,
  )
  for (const { uid } of others.slice(0, Math.max(0, others.length + 1 - most)))
    cookies.set(cookieOf(provider, uid), null, options)
  const maxAge = lifetimes.interaction_s * 1_000
  cookies.set(cookieOf(provider, interaction.uid), proofOf(interaction), { ...options, maxAge })
}

/** Whether the interaction began in this browser. */
export function isOwnInteraction(
  { provider, request }: InteractionContext,
  interaction: InteractionIds,
): boolean {
  const cookies = interactionCookies(request.headers.cookie, provider)
  return cookies.some(
    ({ uid, proof }) => uid === interaction.uid && sameSecret(proofOf(interaction), proof),
  )
}
