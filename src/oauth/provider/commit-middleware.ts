// The last step of each request at the library: what it redeemed is committed before the answer is
// sent, and what then fails is answered as well as logged.
import type { Provider } from 'oidc-provider'
import { CommitUnknown, DatabaseUnavailable } from '../../db/database.ts'
import type { RedemptionTransactions } from '../storage/redemption-transaction.ts'
import { renderError, temporarilyUnavailable } from './error-page.ts'
import type { Library, LibraryError } from './load-oidc-provider.ts'

export type CommitParts = {
  library: Library
  reportError: (ctx: Context, error: LibraryError) => void
  transactions: Pick<RedemptionTransactions, 'run'>
}
type Context = Parameters<Parameters<Provider['use']>[0]>[0]

const retry_after_s = 2

/** Nobody hears an answer to a connection that is closed: what it redeemed is left as it was. */
export function commitBeforeAnswer(provider: Provider, parts: CommitParts): void {
  provider.use(async (ctx, next) => {
    try {
      await parts.transactions.run(next, () => ctx.status < 400 && !ctx.res.destroyed)
    } catch (error) {
      await answerFailure(parts, ctx, error)
    }
    if (ctx.status === 503) ctx.set('Retry-After', String(retry_after_s))
  })
}

async function answerFailure(
  { library, reportError }: CommitParts,
  ctx: Context,
  thrown: unknown,
): Promise<void> {
  const isAway = thrown instanceof DatabaseUnavailable || thrown instanceof CommitUnknown
  const error: LibraryError = isAway ? temporarilyUnavailable(library, thrown) : errorOf(thrown)
  reportError(ctx, error)
  for (const name of ['Location', 'Content-Type']) ctx.remove(name)
  ctx.status = error.statusCode ?? 500
  const out = error.expose
    ? { error: error.message, error_description: error.error_description }
    : { error: 'server_error', error_description: 'something went wrong on our side' }
  if (ctx.accepts('json', 'html') === 'html') await renderError(ctx, out)
  else ctx.body = out
}

function errorOf(thrown: unknown): LibraryError {
  return thrown instanceof Error ? thrown : new Error('not an error', { cause: thrown })
}
