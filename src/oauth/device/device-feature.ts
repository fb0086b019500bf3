// The device flow (RFC 8628) of oidc-provider, with pages of ours: the user enters the code that a
// program shows, sees which program asks and from where, and goes on to log-in and consent.
import type { IncomingMessage } from 'node:http'
import type { Client, Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { App } from '../../app.ts'
import { pageRoot } from '../../origins.ts'
import { displayClient, displayText } from '../shared/display-name.ts'
import { ofEnvironment, type PageResponse } from '../shared/page-layout.ts'
import type { DeviceLogIns } from './device-log-in.ts'
import {
  deviceCodePage,
  deviceConfirmPage,
  deviceConnectedPage,
  type Requester,
} from './device-pages.ts'
import { type CodeProblem, problemPageOf, wordsOf } from './device-problems.ts'

type DeviceParts = {
  app: Pick<App, 'settings' | 'clock'>
  /** The address that a request is counted for. */
  addressOf: (raw: IncomingMessage) => string
  device_log_ins: DeviceLogIns
}

type Shown = Pick<KoaContextWithOIDC, 'status' | 'set' | 'body'>
type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>

const longestAgent = 200
const mask = '****-****'

export function deviceFlowFeature({ app, addressOf, device_log_ins }: DeviceParts): DeviceFlow {
  const registrar = new URL(pageRoot(app.settings)).host
  const send = (ctx: Shown, page: PageResponse) => show(ctx, ofEnvironment(page, app.settings))
  const confirm = async (ctx: KoaContextWithOIDC, { client, info, user_code }: Waiting) => {
    const { clientId, clientName, clientUri } = client
    const facts = { client_id: clientId, client_name: clientName, client_uri: clientUri }
    const view = { client: displayClient(facts), requester: requesterOf(info), user_code }
    const log_in = await logInOf(ctx, device_log_ins)
    send(ctx, deviceConfirmPage({ xsrf: xsrfOf(ctx), registrar, ...view, log_in }))
  }
  return {
    enabled: true,
    // The code has consonants alone, so that no word appears and no digit is mistaken for a letter
    // (RFC 8628 section 6.1).
    charset: 'base-20',
    mask,
    deviceInfo: (ctx): Requester => ({
      address: addressOf(ctx.req),
      agent: displayText(ctx.get('user-agent').slice(0, longestAgent)),
      at: app.clock.now().toISOString(),
    }),
    async userCodeInputSource(ctx, ...[, out, error]) {
      const shown = problemPageOf(error, out)
      if (shown.page) return send(ctx, shown.page)
      const user_code = enteredIn(ctx)
      const found = error === undefined && user_code !== '' ? await waiting(ctx, user_code) : null
      if (found?.code) return confirm(ctx, { ...found.code, client: found.client })
      const problem = found ? wordsOf(found.problem) : shown.problem
      send(ctx, deviceCodePage({ xsrf: xsrfOf(ctx), registrar, user_code, problem }))
    },
    async userCodeConfirmSource(ctx, ...[, client, info, user_code]) {
      await confirm(ctx, { client, info, user_code })
    },
    async successSource(ctx) {
      const { clientId = '', clientName, clientUri } = ctx.oidc.client ?? {}
      const facts = { client_id: clientId, client_name: clientName, client_uri: clientUri }
      send(ctx, deviceConnectedPage(displayClient(facts)))
    },
  }
}

/**
 * Shows a page, always with 200, with which the library's own transaction commits: a refused code,
 * too, changes the session's token against forged requests.
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

/** The code that the user typed or that the link had, which is shown again as it is. */
function enteredIn({ query, oidc }: KoaContextWithOIDC): string {
  const typed = oidc.params?.user_code ?? query.entered
  return typeof typed === 'string' ? displayText(typed).slice(0, 20) : ''
}

function requesterOf(info: unknown): Requester {
  const { address = '', agent = '', at = '' }: Partial<Requester> = Object(info)
  return { address, agent, at }
}

/**
 * The log-in that the page asks for, or null if this browser is logged in, here or to the
 * dashboard.
 */
async function logInOf({ oidc, req }: KoaContextWithOIDC, log_ins: DeviceLogIns) {
  if (oidc.session?.accountId || (await log_ins.isLoggedIn(req))) return null
  const tried = log_ins.of(req)
  if (tried?.kind !== 'refused') return { email: '', problem: null }
  return { email: tried.email, problem: tried.problem.words }
}

type Waiting = { client: Client; info: unknown; user_code: string }
type Found =
  | { code: Omit<Waiting, 'client'>; client: Client }
  | { code: null; problem: CodeProblem }

/**
 * Looks up the code of a link without taking it: the program that waits with it, or why none does.
 */
async function waiting({ oidc }: KoaContextWithOIDC, typed: string): Promise<Found> {
  const { provider } = oidc
  const normalized = typed.toUpperCase().replaceAll(/\W/g, '')
  const code = await provider.DeviceCode.findByUserCode(normalized, { ignoreExpiration: true })
  const client =
    code?.clientId === undefined ? undefined : await provider.Client.find(code.clientId)
  if (!code || !client) return { code: null, problem: 'NotFoundError' }
  if (code.isExpired) return { code: null, problem: 'ExpiredError' }
  if (code.error || code.accountId || code.inFlight)
    return { code: null, problem: 'AlreadyUsedError' }
  const user_code = `${normalized.slice(0, 4)}-${normalized.slice(4)}`
  return { code: { info: code.deviceInfo, user_code }, client }
}
