// The device flow (RFC 8628) of oidc-provider, with pages of ours: the user enters the code that a
// program shows, sees which program asks and from where, and goes on to log-in and consent.
import type { IncomingMessage } from 'node:http'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { App } from '../../app.ts'
import { pageRoot } from '../../origins.ts'
import { displayClient, displayText } from '../shared/display-name.ts'
import { ofEnvironment, type PageResponse } from '../shared/page-layout.ts'
import {
  deviceCodePage,
  deviceConfirmPage,
  deviceConnectedPage,
  type Requester,
} from './device-pages.ts'
import { problemPageOf } from './device-problems.ts'

type DeviceParts = {
  app: Pick<App, 'settings' | 'clock'>
  /** The address that a request is counted for. */
  addressOf: (raw: IncomingMessage) => string
}

type Shown = Pick<KoaContextWithOIDC, 'status' | 'set' | 'body'>
type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>

const longestAgent = 200

export function deviceFlowFeature({ app, addressOf }: DeviceParts): DeviceFlow {
  const registrar = new URL(pageRoot(app.settings)).host
  const send = (ctx: Shown, page: PageResponse) => show(ctx, ofEnvironment(page, app.settings))
  return {
    enabled: true,
    // Consonants: no word appears, and no digit is mistaken for a letter (RFC 8628 section 6.1).
    charset: 'base-20',
    mask: '****-****',
    deviceInfo: (ctx): Requester => ({
      address: addressOf(ctx.req),
      agent: displayText(ctx.get('user-agent').slice(0, longestAgent)),
      at: app.clock.now().toISOString(),
    }),
    async userCodeInputSource(ctx, ...[, out, error]) {
      const shown = problemPageOf(error, out)
      if (shown.page) return send(ctx, shown.page)
      const { problem } = shown
      const user_code = enteredIn(ctx)
      send(ctx, deviceCodePage({ xsrf: xsrfOf(ctx), registrar, user_code, problem }))
    },
    async userCodeConfirmSource(ctx, ...[, client, info, user_code]) {
      const { clientId, clientName, clientUri } = client
      const facts = { client_id: clientId, client_name: clientName, client_uri: clientUri }
      const shown = { client: displayClient(facts), requester: requesterOf(info) }
      send(ctx, deviceConfirmPage({ xsrf: xsrfOf(ctx), registrar, user_code, ...shown }))
    },
    async successSource(ctx) {
      const { clientId = '', clientName, clientUri } = ctx.oidc.client ?? {}
      const facts = { client_id: clientId, client_name: clientName, client_uri: clientUri }
      send(ctx, deviceConnectedPage(displayClient(facts)))
    },
  }
}

/**
 * Always 200, with which the library's own transaction commits: also a refused code changes the
 * session's token against forged requests.
 */
function show(ctx: Shown, page: PageResponse): void {
  ctx.status = 200
  ctx.set(page.headers)
  ctx.body = page.body
}

/** The library's token against cross-site request forgery, which its check compares. */
function xsrfOf({ oidc }: KoaContextWithOIDC): string {
  const { secret }: { secret?: unknown } = Object(oidc.session?.state)
  return typeof secret === 'string' ? secret : ''
}

/** The code that the user typed, or that the link had: shown again as it is. */
function enteredIn({ query, oidc }: KoaContextWithOIDC): string {
  const typed = oidc.params?.user_code ?? query.entered
  return typeof typed === 'string' ? displayText(typed).slice(0, 20) : ''
}

function requesterOf(info: unknown): Requester {
  const { address = '', agent = '', at = '' }: Partial<Requester> = Object(info)
  return { address, agent, at }
}
