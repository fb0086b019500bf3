// Errors that would lead a person's browser to a client that has nobody's consent. Anybody may
// register a client, so our own address would lead to anybody's (RFC 9700 section 4.11.2): the page
// says where it would have gone, and goes nowhere (docs/decisions/0023).
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { App } from '../../app.ts'
import { hasActiveGrant } from '../clients/metadata-documents/metadata-documents.sql.ts'
import { destinationOf } from '../shared/display-name.ts'
import { noticePage } from '../shared/page-layout.ts'

type Refusal = { error?: string; message: string; error_description?: string | undefined }
type Context = Parameters<Parameters<Provider['use']>[0]>[0]

/** For navigations alone: programs and frames are told as RFC 6749 section 4.1.2.1 says. */
export function guardOpenRedirects(provider: Provider, db: App['db']): void {
  const refused = new WeakMap<object, Refusal>()
  const note = (ctx: KoaContextWithOIDC, error: Refusal) => refused.set(ctx, error)
  provider.on('authorization.error', note)
  provider.on('server_error', note)
  provider.use(async (ctx, next) => {
    await next()
    const refusal = refused.get(ctx)
    if (refusal && ctx.get('sec-fetch-dest') === 'document' && (await isOfStranger(db, ctx)))
      hold(ctx, refusal)
  })
}

async function isOfStranger(db: App['db'], { oidc, response }: Context): Promise<boolean> {
  const { route, client, session, params } = oidc
  // On the way back from our page a person has seen who asks.
  if (route !== 'authorization' || !client || session?.accountId) return false
  const away = response.headers.location !== undefined || params?.response_mode === 'form_post'
  return away && !(await db.one(hasActiveGrant, [client.clientId])).consented
}

function hold(ctx: Context, { message, error_description }: Refusal): void {
  const { redirect_uri } = ctx.oidc.params ?? {}
  const host = URL.canParse(String(redirect_uri)) ? destinationOf(String(redirect_uri)).host : ''
  const page = noticePage({
    status: 400,
    title: 'This link does not lead on',
    message:
      `It asks for something that cannot be (${message}${more(error_description)}), and would ` +
      `now have led to ${host}, of which we know nothing but that address.`,
    action: 'Nothing was given to anybody. If you did want to connect a program, start from there.',
  })
  ctx.remove('Location')
  ctx.set(page.headers)
  ctx.status = page.status
  ctx.body = page.body
}

function more(words: string | undefined): string {
  return words === undefined ? '' : `, ${words}`
}
