// The cookie of an operator's session: HttpOnly, so that no script of a page can read its token,
// and apart from the cookie of a customer's session.
import type { App } from '../../../app.ts'
import { hostCookieName } from '../../sign-in/index.ts'

type Place = Pick<App['settings'], 'base_url' | 'environment'>

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict'

export function operatorCookieName(place: Place): string {
  return hostCookieName(place, 'operator_session')
}

/** The value of Set-Cookie; without a token it removes the cookie. */
export function operatorCookie(place: Place, token: string | null): string {
  const name = operatorCookieName(place)
  return token === null ? `${name}=; Max-Age=0; ${attributes}` : `${name}=${token}; ${attributes}`
}
