// Who is calling: reads the Authorization header and asks the recogniser of the token's prefix.
import type { Caller } from '../app.ts'
import { invalidToken, unauthenticated } from './faults.ts'

/**
 * Knows the tokens that start with its prefix; undefined for one that is not, or no longer, good.
 */
export type Recogniser = {
  prefix: string
  recognise: (token: string) => Promise<Caller | undefined>
}

const anonymous: Caller = { kind: 'anonymous' }

/**
 * Anonymous without a credential; throws 401 for one that is not good. A token in the query string
 * is refused wherever it is meant as one (OAuth 2.1 section 5.1).
 */
export async function recognise(
  recognisers: readonly Recogniser[],
  shown: { authorization: string | undefined; tokenInQuery: boolean },
): Promise<Caller> {
  if (shown.tokenInQuery)
    throw unauthenticated({ detail: 'A token in the query string is not accepted.' })
  if (shown.authorization === undefined) return anonymous
  const token = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(shown.authorization)?.[1]
  if (!token) throw invalidToken({ detail: 'The Authorization header is not "Bearer <token>".' })
  const known = recognisers.find((one) => token.startsWith(one.prefix))
  const caller = await known?.recognise(token)
  if (!caller) throw invalidToken()
  return caller
}
