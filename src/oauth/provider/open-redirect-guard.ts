// Open redirector guard (RFC 9700 section 4.11.2): error responses are not redirected to a client
// without consent, because anyone may register one with any redirect URI. A page shows the host of
// the redirect URI instead (docs/decisions/0023).
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { App } from '../../app.ts'
import { hasActiveGrant } from '../clients/metadata-documents/metadata-documents.sql.ts'
import { destinationOf } from '../shared/display-name.ts'
import { noticePage } from '../shared/page-layout.ts'
import type { Middleware, MiddlewareParts } from './provider.ts'

type AuthorizationError = {
  error?: string
  message: string
  error_description?: string | undefined
}
type Context = Parameters<Middleware>[0]
type GuardParts = Pick<MiddlewareParts, 'app'> & { provider: Pick<Provider, 'on'> }

/** Guards navigations only. Other requests get the redirect of RFC 6749 section 4.1.2.1. */
export function guardOpenRedirects({ provider, app }: GuardParts): Middleware {
  const errors = new WeakMap<object, AuthorizationError>()
  const note = (ctx: KoaContextWithOIDC, error: AuthorizationError) => errors.set(ctx, error)
  provider.on('authorization.error', note)
  provider.on('server_error', note)
  return async (ctx, next) => {
    await next()
    const error = errors.get(ctx)
    const isNavigation = ctx.get('sec-fetch-dest') === 'document'
    if (error && isNavigation && (await isWithoutConsent(app.db, ctx))) showDestination(ctx, error)
  }
}

async function isWithoutConsent(db: App['db'], { oidc, response }: Context): Promise<boolean> {
  const { route, client, session, params } = oidc
  // After our own page, the user has seen the name of the client.
  if (route !== 'authorization' || !client || session?.accountId) return false
  const redirects = response.headers.location !== undefined || params?.response_mode === 'form_post'
  return redirects && !(await db.one(hasActiveGrant, { client_id: client.clientId })).consented
}

function showDestination(ctx: Context, { message, error_description }: AuthorizationError): void {
  const { redirect_uri } = ctx.oidc.params ?? {}
  const host = URL.canParse(String(redirect_uri)) ? destinationOf(String(redirect_uri)).host : ''
  const why = error_description === undefined ? message : `${message}, ${error_description}`
  const page = noticePage({
    status: 400,
    title: 'This link is not valid',
    message:
      `It makes an invalid request (${why}) and would have sent you to ${host}, an address that ` +
      'we cannot vouch for.',
    action: 'No access was granted. If you wanted to connect an app, start again from that app.',
  })
  ctx.remove('Location')
  ctx.set(page.headers)
  ctx.status = page.status
  ctx.body = page.body
}
