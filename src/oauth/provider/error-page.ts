// Error responses of the library as pages of ours, and database errors in the library's form.
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { isDatabaseOutage } from '../../errors/classify.ts'
import { oauthWords } from '../../errors/oauth-json.ts'
import { expiredPage } from '../interaction/notice-pages.ts'
import type { Library, LibraryError } from '../shared/load-oidc-provider.ts'
import { noticePage, type PageResponse } from '../shared/page-layout.ts'

type ErrorResponse = { error: string; error_description?: string | undefined }

/** The library's error with 503, so that clients try again. */
export function temporarilyUnavailable({ errors }: Library, cause: Error): Error {
  const error = new errors.TemporarilyUnavailable(oauthWords.database)
  return Object.assign(error, { status: 503, statusCode: 503, cause })
}

type Context = Parameters<Parameters<Provider['use']>[0]>[0]
type Reporting = {
  library: Library
  reportError: (ctx: Context, error: LibraryError) => void
}

/** Responds with an error that the library did not handle itself, and reports it for the log. */
export async function respondWithError(
  { library, reportError }: Reporting,
  ctx: Context,
  thrown: unknown,
): Promise<void> {
  const error: LibraryError = isDatabaseOutage(thrown)
    ? temporarilyUnavailable(library, thrown)
    : asError(thrown)
  reportError(ctx, error)
  for (const name of ['Location', 'Content-Type']) ctx.remove(name)
  ctx.status = error.statusCode ?? 500
  const out: ErrorResponse = error.expose
    ? { error: error.message, error_description: error.error_description }
    : { error: 'server_error', error_description: oauthWords.bug }
  if (ctx.accepts('json', 'html') === 'html') await renderError(ctx, out)
  else ctx.body = out
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new Error('A value was thrown that is not an Error', { cause: thrown })
}

/**
 * A page for errors that must not be redirected: an unknown client, a wrong redirect URI (RFC 6749
 * section 4.1.2.1).
 */
export async function renderError(
  ctx: Pick<KoaContextWithOIDC, 'status' | 'set' | 'body'>,
  out: ErrorResponse,
  error?: Error,
): Promise<void> {
  // Our own page has expired, while the request of the client was valid.
  if (error?.name === 'SessionNotFound') {
    ctx.set(expiredPage.headers)
    ctx.body = expiredPage.body
    return
  }
  const page = errorPageOf(ctx.status, out)
  ctx.set(page.headers)
  ctx.body = page.body
}

export function errorPageOf(status: number, out: ErrorResponse): PageResponse {
  switch (out.error) {
    case 'server_error':
      return noticePage({
        status,
        title: 'Something went wrong',
        message: `${oauthWords.bug}.`,
        action: 'Go back to the app you came from and try again.',
      })
    case 'temporarily_unavailable':
      return unavailablePage(status, out)
    default:
      return noticePage({
        status,
        title: 'This request cannot be completed',
        message: `The app that sent you here made an invalid request: ${wordsOf(out)}.`,
        action: actionFor(out.error),
      })
  }
}

/**
 * The next step for the user. A client that was not used for long is deleted, and its stored
 * connection then leads nowhere.
 */
function actionFor(error: string): string {
  const again = error === 'invalid_client' ? 'remove the connection there, create it again, ' : ''
  return (
    `No access was granted. Go back to the app, ${again}and contact its developers if it happens ` +
    'again.'
  )
}

/**
 * The page for a request that may be valid, while the service cannot read what it needs to check
 * it.
 */
function unavailablePage(status: number, out: ErrorResponse): PageResponse {
  const why = out.error_description ?? 'A service that we need is unavailable'
  return noticePage({
    status,
    title: 'Temporarily unavailable',
    message: `We could not look up the app that sent you here. ${why}.`,
    action:
      'No access was granted. Wait a moment and reload this page. If that does not help, go back ' +
      'to the app and contact its developers.',
  })
}

function wordsOf({ error, error_description }: ErrorResponse): string {
  return error_description === undefined ? error : `${error}, ${error_description}`
}
