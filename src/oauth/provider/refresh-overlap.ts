// Overlap of refresh tokens: sessions of one program that refresh the same token at once get the
// same answer, for a few seconds and while its successor is unused. Any other use of a consumed one
// is a replay, and ends the consent (RFC 9700 section 4.14.2, docs/decisions/0096).
import { hashSecret } from '../../kit/random.ts'
import { lifetimes } from '../shared/lifetimes.ts'
import { keepRefreshAnswer, refreshToken } from '../storage/refresh-answers.sql.ts'
import type { Middleware, MiddlewareParts } from './provider.ts'

type Asked = { resource: string | null; scope: string | null }
type Answered = { asked: Asked; body: Record<string, unknown> }

/**
 * Middleware around the library, within the transaction of the redemption. It keeps the answer of a
 * first use, and gives it to the others. One that asked for another resource or scope gets an
 * access token of its own, and the same refresh token.
 */
export function overlapRefreshes({ app, library, transactions }: MiddlewareParts): Middleware {
  const { encryption } = app

  async function keep(hash: Buffer, answered: Answered): Promise<void> {
    const { refresh_token } = answered.body
    if (typeof refresh_token !== 'string') return
    await transactions.sql.count(keepRefreshAnswer, {
      id_hash: hash,
      successor: hashSecret(refresh_token),
      sealed: encryption.seal(JSON.stringify(answered)),
      kept_s: lifetimes.refresh_overlap_s,
    })
  }

  /**
   * Opens an answer. Throws where another key has sealed it, because it cannot be repeated then.
   */
  function open(sealed: string): Answered {
    const text = encryption.unseal(sealed)
    if (text === undefined) throw new library.errors.InvalidGrant('already used')
    return JSON.parse(text)
  }

  return async (ctx, next) => {
    await next()
    const redemption = transactions.current()
    if (redemption?.model !== refreshToken || ctx.status !== 200) return
    const asked = askedBy(ctx.oidc?.params)
    const body: Record<string, unknown> = { ...Object(ctx.body) }
    if (redemption.answered === null) return keep(redemption.hash, { asked, body })
    const first = open(redemption.answered)
    redemption.discarded =
      first.asked.resource === asked.resource && first.asked.scope === asked.scope
    ctx.body = redemption.discarded
      ? first.body
      : { ...body, refresh_token: first.body.refresh_token }
  }
}

function askedBy(params: Record<string, unknown> | undefined): Asked {
  const textOf = (value: unknown) => (value === undefined ? null : String(value))
  return { resource: textOf(params?.resource), scope: textOf(params?.scope) }
}
