// Configuration of oidc-provider as our authorization server: features, lifetimes, cookies, scopes.
// The reasons are in docs/decisions/0020.
import type { IncomingMessage } from 'node:http'
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { App } from '../../app.ts'
import { consentCookies } from '../../capabilities/sign-in/index.ts'
import type { Clock } from '../../kit/clock.ts'
import { compareClientSecretHashes } from '../clients/client-secret.ts'
import type { MetadataClients } from '../clients/metadata-documents/metadata-clients.ts'
import { deviceFlowFeature } from '../device/device-feature.ts'
import type { DeviceLogIns } from '../device/device-log-in.ts'
import type { Keys } from '../keys/keys.ts'
import { authMethods, idTokenAlgorithms, routes, userinfoRoute } from '../shared/endpoints.ts'
import { lifetimes } from '../shared/lifetimes.ts'
import type { Library, LibraryError } from '../shared/load-oidc-provider.ts'
import { adapterOver } from '../storage/adapter.ts'
import { endReasonOfRequest } from '../storage/end-reasons.ts'
import { claimsOfAccount } from '../storage/grants.sql.ts'
import {
  openRedemptionTransactions,
  type RedemptionTransactions,
} from '../storage/redemption-transaction.ts'
import { mcpResource, offeredScopes, resourceOf, resourcesOf } from './audiences.ts'
import { beginInteractions } from './begin-interaction.ts'
import { renderError, respondWithError, temporarilyUnavailable } from './error-page.ts'
import { grantToResume, interactionPolicyOf } from './interaction-policy.ts'

export type Middleware = Parameters<Provider['use']>[0]
export type MiddlewareParts = ProviderParts & {
  provider: Provider
  transactions: RedemptionTransactions
}
export type ProviderParts = {
  app: Pick<App, 'db' | 'settings' | 'clock' | 'encryption'>
  library: Library
  documents: MetadataClients
  /** The address that a request is counted for. */
  addressOf: (raw: IncomingMessage) => string
  device_log_ins: DeviceLogIns
  /** The middleware in order, around the library's own (routes/routes.ts). */
  middleware: readonly ((parts: MiddlewareParts) => Middleware)[]
  /** Called with each OAuth error and each failure, for the log line of its request. */
  reportError: (ctx: Pick<KoaContextWithOIDC, 'req'>, error: LibraryError) => void
}

/** An authorization server with these keys. Others over the same database work beside it. */
export function newProvider(parts: ProviderParts, keys: Keys): Provider {
  const { library, app, reportError } = parts
  const { settings } = app
  const transactions = openRedemptionTransactions(app.db)
  const setup = configuration({ ...parts, transactions }, keys)
  const provider = new library.Provider(settings.base_url, setup)
  pinOrigin(provider, settings.base_url)
  compareClientSecretHashes(provider)
  storeBeforeDestroying(provider)
  for (const make of parts.middleware) provider.use(make({ ...parts, provider, transactions }))
  provider.on('server_error', reportError)
  provider.on('authorization.error', reportError)
  provider.on('grant.error', reportError)
  provider.on('revocation.error', reportError)
  provider.on('introspection.error', reportError)
  provider.on('registration_create.error', reportError)
  provider.on('device_authorization.error', reportError)
  provider.on('code_verification.error', reportError)
  provider.on('device_resume.error', reportError)
  // Koa would log broken connections to the console.
  provider.silent = true
  return provider
}

const retry_after_s = 2

/**
 * Commits the redemption of a request before its response is sent; a failure of that becomes the
 * response. A response to a closed connection is not received, so it rolls back.
 */
export function commitRedemption(parts: MiddlewareParts): Middleware {
  return async (ctx, next) => {
    try {
      await parts.transactions.run(next, {
        shouldCommit: () => ctx.status < 400 && !ctx.res.destroyed,
        endReason: () => endReasonOfRequest(ctx.path, ctx.oidc?.params?.grant_type),
      })
    } catch (error) {
      await respondWithError(parts, ctx, error)
    }
    if (ctx.status === 503) ctx.set('Retry-After', String(retry_after_s))
  }
}

/**
 * Computes the Expires of cookies by the service's clock: the library would use this machine's, and
 * a browser drops a cookie that has expired.
 */
export function expireCookiesByClock({ app }: MiddlewareParts): Middleware {
  return async ({ cookies }, next) => {
    const set = cookies.set.bind(cookies)
    cookies.set = (name, value, options) => {
      const { maxAge, ...rest } = options ?? {}
      if (!maxAge) return set(name, value, options)
      return set(name, value, { ...rest, expires: new Date(app.clock.now().getTime() + maxAge) })
    }
    await next()
  }
}

/**
 * URLs and the kind of cookies come from the settings: the library would trust the Host header and
 * the request line.
 */
function pinOrigin({ request }: Provider, baseUrl: string): void {
  const { host, protocol } = new URL(baseUrl)
  Object.defineProperties(request, {
    host: { get: () => host },
    protocol: { get: () => protocol.slice(0, -1) },
    href: {
      get(this: typeof request) {
        return `${protocol}//${host}${this.url}`
      },
    },
  })
}

/**
 * Session id rotation, against session fixation: oidc-provider gives a session a new id at login.
 * It destroys the old one before it stores the new one, and another tab that finds no session in
 * between would get the page that it has expired; here the new one is stored first.
 */
export function storeBeforeDestroying({ Session }: Pick<Provider, 'Session'>): void {
  const { save } = Session.prototype
  Session.prototype.save = async function store(ttl_s) {
    const old: unknown = Reflect.get(this, 'oldId')
    Object.assign(this, { oldId: undefined })
    const id = await save.call(this, ttl_s)
    if (typeof old === 'string') await this.adapter.destroy(old)
    return id
  }
}

function configuration(
  parts: ProviderParts & { transactions: RedemptionTransactions },
  keys: Keys,
): Configuration {
  const { app, documents, library, transactions } = parts
  const { settings } = app
  const { InvalidGrant } = library.errors
  return {
    adapter: adapterOver({
      transactions,
      alreadyUsed: () => new InvalidGrant('already used'),
      unavailable: (cause) => temporarilyUnavailable(library, cause),
    }),
    fetch: documents.fetch,
    jwks: { keys: keys.sign },
    cookies: cookiesOf(settings.base_url, keys),
    features: {
      ...featuresOf(app, library),
      clientIdMetadataDocument: documents.feature,
      deviceFlow: deviceFlowFeature(parts),
    },
    routes,
    ...tokenRules(app.clock),
    scopes: [...offeredScopes],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    responseTypes: ['code'],
    clientAuthMethods: [...authMethods],
    enabledJWA: { idTokenSigningAlgValues: [...idTokenAlgorithms] },
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'RS256',
    },
    discovery: {
      userinfo_endpoint: `${settings.base_url}${userinfoRoute}`,
      service_documentation: `${settings.base_url}/docs`,
      protected_resources: resourcesOf(settings),
      revocation_endpoint_auth_methods_supported: authMethods,
      introspection_endpoint_auth_methods_supported: authMethods,
      ui_locales_supported: ['en'],
    },
    interactions: {
      policy: interactionPolicyOf(library),
      url: beginInteractions(parts),
    },
    loadExistingGrant: (ctx) => grantToResume(parts, ctx),
    findAccount: async (_ctx, sub) => accountOf(app, sub),
    renderError,
    // Any origin may ask, because a token is presented in a header field and never by a cookie.
    clientBasedCORS: () => true,
  }
}

/** `__Host-` keeps a page of a subdomain from planting a cookie (RFC 6265bis section 4.1.3.2). */
function cookiesOf(baseUrl: string, keys: Keys): Configuration['cookies'] {
  const isSecure = baseUrl.startsWith('https:')
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure } as const
  return {
    // The library gives `resume` a path of its own, which __Host- does not allow.
    names: {
      ...consentCookies({ base_url: baseUrl }),
      resume: `${isSecure ? '__Secure-' : ''}oauth_resume`,
    },
    long: options,
    short: options,
    keys: keys.cookie,
  }
}

type Owned = { clientId?: string | undefined }
function featuresOf({ settings }: Pick<App, 'settings'>, library: Library) {
  const { InvalidTarget } = library.errors
  return {
    devInteractions: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    // No resource server here checks the proof that a bound token needs.
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    // It would reject all of our tokens, as they have an audience; routes/userinfo.ts is ours.
    userinfo: { enabled: false },
    registration: { enabled: true, initialAccessToken: false, issueRegistrationAccessToken: false },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => isOwn(client, token) },
    introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => isOwn(client, token) },
    resourceIndicators: {
      enabled: true,
      defaultResource: async (_ctx, _client, several) => several?.[0] ?? mcpResource(settings),
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_ctx, indicator) => {
        const audience = resourceOf(settings, indicator)
        if (audience === undefined)
          throw new InvalidTarget('resource must be the MCP endpoint or the REST API')
        return {
          audience,
          scope: offeredScopes.join(' '),
          accessTokenFormat: 'opaque',
          accessTokenTTL: lifetimes.access_token_s,
        }
      },
    },
  } satisfies Configuration['features']
}

/** Tokens of other clients look as if they did not exist. */
function isOwn(client: Owned, token: Owned): boolean {
  return token.clientId !== undefined && token.clientId === client.clientId
}

function tokenRules(
  clock: Clock,
): Pick<
  Configuration,
  | 'pkce'
  | 'ttl'
  | 'rotateRefreshToken'
  | 'issueRefreshToken'
  | 'expiresWithSession'
  | 'revokeGrantPolicy'
> {
  const nowS = () => Math.floor(clock.now().getTime() / 1000)
  return {
    // The only method is S256, which is the library's default (RFC 9700 section 2.1.1).
    pkce: { required: () => true },
    ttl: {
      AuthorizationCode: lifetimes.code_s,
      DeviceCode: lifetimes.device_code_s,
      AccessToken: lifetimes.access_token_s,
      IdToken: lifetimes.id_token_s,
      RefreshToken: (_ctx, token) => {
        const now_s = nowS()
        return refreshTokenLife(token.iiat ?? now_s, now_s)
      },
      Grant: lifetimes.consent_s,
      Interaction: lifetimes.interaction_s,
      Session: (_ctx, { loginTs }) => sessionLife(loginTs, nowS()),
    },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // A client stays connected after its owner's browser session has ended.
    expiresWithSession: async () => false,
    // All tokens of a grant end with a revoked one, so the grant ends, too.
    revokeGrantPolicy: () => true,
  }
}

/** The life of a refresh token slides, up to the end of the consent, which began at `first_s`. */
export function refreshTokenLife(first_s: number, now_s: number): number {
  return Math.max(1, Math.min(lifetimes.refresh_token_s, first_s + lifetimes.consent_s - now_s))
}

/** A browser's login lives from the moment of the password on, however busy the browser is. */
function sessionLife(logged_in_s: number | undefined, now_s: number): number {
  const login_s = logged_in_s ?? now_s
  return Math.max(1, login_s + lifetimes.session_s - now_s)
}

async function accountOf({ db }: Pick<App, 'db'>, sub: string) {
  const account = await db.maybe(claimsOfAccount, { id: sub })
  return account && { accountId: account.sub, claims: async () => ({ ...account }) }
}
