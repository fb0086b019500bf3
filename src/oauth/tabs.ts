// Several log-in pages in one browser: which interactions it began. The library's own cookie knows
// the newest alone.
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Visit } from './doors.ts'
import { lifetimes } from './lifetimes.ts'

// A page that opens windows could else fill the header that every request carries.
const most = 8

type Cookies = KoaContextWithOIDC['cookies']

/** With its prefix: the same for all paths, as __Host- needs. */
function cookieOf(provider: Provider): string {
  return `${provider.cookieName('interaction')}s`
}

function tabsIn(cookies: Cookies, provider: Provider): string[] {
  const value = cookies.get(cookieOf(provider), { signed: true })
  return value === undefined ? [] : value.split('.')
}

/** Notes an interaction that began in this browser. */
export function noteTab({ cookies, oidc }: KoaContextWithOIDC, uid: string): void {
  const { provider, issuer } = oidc
  const tabs = [...tabsIn(cookies, provider).filter((one) => one !== uid), uid].slice(-most)
  cookies.set(cookieOf(provider), tabs.join('.'), {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: issuer.startsWith('https:'),
    signed: true,
    maxAge: lifetimes.interaction_s * 1_000,
  })
}

/** Whether the interaction began in this browser. */
export function isTab({ provider, request, reply }: Visit, uid: string): boolean {
  const { cookies } = provider.createContext(request.raw, reply.raw)
  return uid !== '' && tabsIn(cookies, provider).includes(uid)
}
