// Words of a refused grant (RFC 6749 section 5.2): the library's own are the same for every cause,
// and some clients show nothing else to their user.
import type { Middleware } from './provider.ts'

const generic = 'grant request is invalid'

/**
 * By the grant type. One sentence for all causes of a type: it must not reveal whether a token ever
 * was. ASCII without quotes.
 */
const words = new Map<unknown, string>([
  [
    'refresh_token',
    'the refresh token is expired, revoked, was used before, or is not of this client: ' +
      'connect again, with a new authorization request',
  ],
  [
    'authorization_code',
    'the code is expired, was used before, or does not fit client, redirect_uri or ' +
      'code_verifier: connect again, with a new authorization request',
  ],
])

export function explainRefusedGrants(): Middleware {
  return async (ctx, next) => {
    await next()
    const body: unknown = ctx.body
    if (typeof body !== 'object' || body === null || !('error_description' in body)) return
    const explained = words.get(ctx.oidc?.params?.grant_type)
    if (explained === undefined || body.error_description !== generic) return
    ctx.body = { ...body, error_description: explained }
  }
}
