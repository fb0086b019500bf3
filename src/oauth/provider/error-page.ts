// What the library says no with, where its own words would not do.
import type { KoaContextWithOIDC } from 'oidc-provider'
import { stale } from '../consent/notice-pages.ts'
import { noticePage, type PageResponse } from '../shared/page-layout.ts'
import type { Library } from './load-oidc-provider.ts'

/** 503, so that clients try again. */
export function temporarilyUnavailable({ errors }: Library, cause: Error): Error {
  const words = 'the database cannot be reached; try again'
  const error = new errors.TemporarilyUnavailable(words)
  return Object.assign(error, { status: 503, statusCode: 503, cause })
}

/** Wrong client, wrong redirect URI: told to the person, and sent nowhere (RFC 6749 4.1.2.1). */
export async function renderError(
  ctx: Pick<KoaContextWithOIDC, 'status' | 'set' | 'body'>,
  out: { error: string; error_description?: string | undefined },
  error?: Error,
): Promise<void> {
  // Our own page is over: nobody asked for something wrong.
  if (error?.name === 'SessionNotFound') {
    ctx.set(stale.headers)
    ctx.body = stale.body
    return
  }
  const own = out.error === 'server_error'
  const later = out.error === 'temporarily_unavailable'
  const page = later
    ? laterPage(ctx.status, out)
    : noticePage({
        status: ctx.status,
        title: own ? 'That did not work' : 'This request cannot be answered',
        message: own
          ? 'Something went wrong on our side.'
          : `The program that sent you here asked for something that cannot be: ${words(out)}.`,
        action: own
          ? 'Go back to the program that you came from, and try again.'
          : actionFor(out.error),
      })
  ctx.set(page.headers)
  ctx.body = page.body
}

/** A program that was not used for long is forgotten; what it kept of us leads nowhere then. */
function actionFor(error: string): string {
  const isForgotten = error === 'invalid_client'
  const anew = isForgotten ? 'remove the connection there, make it anew, ' : ''
  const tell = 'and tell its makers if it happens again.'
  return `Nothing was given to it. Go back to the program, ${anew}${tell}`
}

/** Nobody asked for something wrong: what is needed to answer cannot be had at the moment. */
function laterPage(status: number, out: { error_description?: string | undefined }): PageResponse {
  const why = out.error_description ?? 'something that we need is away'
  return noticePage({
    status,
    title: 'This cannot be answered right now',
    message: `We could not find out about the program that sent you here: ${why}.`,
    action:
      'Nothing was given to it. Wait a moment and load this page again. If that does not help, ' +
      'go back to the program, and tell its makers.',
  })
}

function words({
  error,
  error_description,
}: {
  error: string
  error_description?: string | undefined
}) {
  return error_description === undefined ? error : `${error}, ${error_description}`
}
