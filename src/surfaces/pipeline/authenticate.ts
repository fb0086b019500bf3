// Who is calling: reads the Authorization header and asks the authenticator of the token's prefix.
import type { Caller, EntryPoint } from '../../app.ts'
import { invalidToken, unauthenticated } from './faults.ts'

/** Where a token is shown: an OAuth token is good at its own resource alone (RFC 8707). */
export type ShownAt = { entry_point: EntryPoint }

/**
 * Knows the tokens that start with its prefix; undefined for one that is not, or no longer, good.
 * OAuth tokens have no prefix, so they may begin like another's.
 */
export type Authenticator = {
  prefix: string
  authenticate: (token: string, at: ShownAt) => Promise<Caller | undefined>
}

const anonymous: Caller = { kind: 'anonymous' }

/**
 * Anonymous without a credential; throws 401 for one that is not good. A token in the query string
 * is refused wherever it is meant as one (OAuth 2.1 section 5.1).
 */
export async function authenticate(
  authenticators: readonly Authenticator[],
  shown: ShownAt & { authorization: string | undefined; tokenInQuery: boolean },
): Promise<Caller> {
  if (shown.tokenInQuery)
    throw unauthenticated({ detail: 'A token in the query string is not accepted.' })
  if (shown.authorization === undefined) return anonymous
  const token = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(shown.authorization)?.[1]
  if (!token) throw invalidToken({ detail: 'The Authorization header is not "Bearer <token>".' })
  for (const one of authenticators) {
    const caller = token.startsWith(one.prefix) ? await one.authenticate(token, shown) : undefined
    if (caller) return caller
  }
  throw invalidToken()
}
