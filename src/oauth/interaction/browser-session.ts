// The session that oidc-provider keeps for a browser, by its signed cookie.
import type { InteractionContext } from '../host-ports.ts'

/** The library's session of this browser, whether or not anybody is logged in. */
export async function browserSession({
  provider,
  request,
  reply,
}: Pick<InteractionContext, 'provider' | 'request' | 'reply'>) {
  const { cookies } = provider.createContext(request.raw, reply.raw)
  const id = cookies.get(provider.cookieName('session'), { signed: true })
  return id === undefined ? undefined : provider.Session.find(id)
}
