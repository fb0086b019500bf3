// oidc-provider as our authorization server: what is on, what is off, how long things live. The
// reasons are in docs/decisions/0020.
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { App } from '../../app.ts'
import { customerById } from '../../capabilities/account/index.ts'
import type { Clock } from '../../kit/clock.ts'
import { compareClientSecretHashes } from '../clients/client-secret.ts'
import type { MetadataClients } from '../clients/metadata-documents/metadata-clients.ts'
import { rememberInteraction } from '../consent/interaction-cookies.ts'
import { grantToResume } from '../consent/resume-authorization.ts'
import type { Keys } from '../keys/keys.ts'
import { adapterOver } from '../storage/adapter.ts'
import {
  openRedemptionTransactions,
  type RedemptionTransactions,
} from '../storage/redemption-transaction.ts'
import { mcpResource, offeredScopes, resourceOf, restResource } from './audiences.ts'
import { commitBeforeAnswer } from './commit-middleware.ts'
import { expireCookiesByClock } from './cookie-expiry.ts'
import { authMethods, routes, userinfoRoute } from './endpoints.ts'
import { renderError, temporarilyUnavailable } from './error-page.ts'
import { addPageHeaders } from './form-post-headers.ts'
import { interactionPolicyOf } from './interaction-policy.ts'
import { lifetimes, refreshTokenLife, sessionLife } from './lifetimes.ts'
import type { Library, LibraryError } from './load-oidc-provider.ts'
import { guardOpenRedirects } from './open-redirect-guard.ts'

export type ProviderParts = {
  app: Pick<App, 'db' | 'settings' | 'clock'>
  library: Library
  documents: MetadataClients
  /** Told of each refusal and each failure, for the log line of its request. */
  reportError: (ctx: Pick<KoaContextWithOIDC, 'req'>, error: LibraryError) => void
}

/** An authorization server with these keys. Others over the same database work beside it. */
export function newProvider(parts: ProviderParts, keys: Keys): Provider {
  const { library, app } = parts
  const { settings } = app
  const transactions = openRedemptionTransactions(app.db)
  const setup = configuration({ ...parts, transactions }, keys)
  const provider = new library.Provider(settings.base_url, setup)
  pinOrigin(provider, settings.base_url)
  compareClientSecretHashes(provider)
  expireCookiesByClock(provider, app.clock)
  const { reportError } = parts
  commitBeforeAnswer(provider, { library, transactions, reportError })
  addPageHeaders(provider)
  guardOpenRedirects(provider, app.db)
  provider.on('server_error', reportError)
  provider.on('authorization.error', reportError)
  provider.on('grant.error', reportError)
  provider.on('revocation.error', reportError)
  provider.on('introspection.error', reportError)
  provider.on('registration_create.error', reportError)
  // Koa would write of connections that broke to the console.
  provider.silent = true
  return provider
}

/**
 * URLs and the kind of cookies come from the settings: the library would believe the Host header
 * and the request line.
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
      alreadyUsed: () => new InvalidGrant('used already'),
      unavailable: (cause) => temporarilyUnavailable(library, cause),
    }),
    fetch: documents.fetch,
    jwks: { keys: keys.sign },
    cookies: cookiesOf(settings.base_url, keys),
    features: { ...featuresOf(app, library), clientIdMetadataDocument: documents.feature },
    routes,
    ...tokenRules(app.clock),
    scopes: [...offeredScopes],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    responseTypes: ['code'],
    clientAuthMethods: [...authMethods],
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'EdDSA'] },
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'RS256',
    },
    discovery: {
      userinfo_endpoint: `${settings.base_url}${userinfoRoute}`,
      service_documentation: `${settings.base_url}/docs`,
      protected_resources: [mcpResource(settings), restResource(settings)],
      revocation_endpoint_auth_methods_supported: authMethods,
      introspection_endpoint_auth_methods_supported: authMethods,
      ui_locales_supported: ['en'],
    },
    interactions: {
      policy: interactionPolicyOf(library),
      url: (ctx, begun) => {
        rememberInteraction(ctx, begun)
        return `${routes.authorization}?interaction=${begun.uid}`
      },
    },
    loadExistingGrant: (ctx) => grantToResume(parts, ctx),
    findAccount: async (_ctx, sub) => accountOf(app, sub),
    renderError,
    // Every origin may try: a token is shown in a header, never by a cookie.
    clientBasedCORS: () => true,
  }
}

/** `__Host-`: a page of a subdomain cannot plant it (RFC 6265bis section 4.1.3.2). */
function cookiesOf(baseUrl: string, keys: Keys): Configuration['cookies'] {
  const isSecure = baseUrl.startsWith('https:')
  const [host, secure] = isSecure ? ['__Host-', '__Secure-'] : ['', '']
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure } as const
  return {
    // The library gives `resume` a path of its own, which __Host- does not allow.
    names: {
      session: `${host}oauth_session`,
      interaction: `${host}oauth_interaction`,
      resume: `${secure}oauth_resume`,
    },
    long: options,
    short: options,
    keys: keys.cookie,
  }
}

function featuresOf({ settings }: Pick<App, 'settings'>, library: Library) {
  const { InvalidTarget } = library.errors
  return {
    devInteractions: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    // Nobody here asks for the proof that a bound token needs.
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    // It refuses tokens that have an audience, and ours all have one: userinfo.ts answers.
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

type Owned = { clientId?: string | undefined }

/** Tokens of other clients look as if there were none. */
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
    pkce: { required: () => true },
    ttl: {
      AuthorizationCode: lifetimes.code_s,
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
    // A client goes on when its owner's browser has forgotten who they are.
    expiresWithSession: async () => false,
    // Its tokens all end with a revoked one, so the consent they came of is over, too.
    revokeGrantPolicy: () => true,
  }
}

async function accountOf({ db }: Pick<App, 'db'>, sub: string) {
  const customer = await customerById(db, sub)
  if (!customer || customer.status === 'closed') return undefined
  const { id, name, email, email_verified } = customer
  return {
    accountId: id,
    claims: async () => ({ sub: id, name, email, email_verified }),
  }
}
