// An identity provider: oidc-provider in the test process, with one user at a time, who logs in at
// once and agrees to everything.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { Provider } from 'oidc-provider'

export type IssuerUser = { sub: string; email: string; name: string; email_verified: boolean }
type Issuer = {
  id: string
  url: string
  /** The user who logs in next, or null if the user cancels. */
  user: IssuerUser | null
  /**
   * Called before the first log-in: the client is the service, whose URL was unknown until then.
   */
  register: (redirect_uri: string) => void
  close: () => Promise<void>
}

const secrets = { client_id: 'registrar', client_secret: 'a-secret-of-the-client' }

export async function openOidcIssuer(id: string): Promise<Issuer> {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const issuer: Issuer = {
    id,
    url: `http://127.0.0.1:${port}`,
    user: null,
    register(redirect_uri) {
      answer = answersOf(issuer, redirect_uri)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return issuer
}

/** The settings that lead to them. */
export function issuerSettings(issuers: readonly Issuer[]): Record<string, string> {
  const each = issuers.map(({ id, url }) => {
    const prefix = `SSO_${id.toUpperCase()}`
    return {
      [`${prefix}_ISSUER`]: url,
      [`${prefix}_NAME`]: `${id.slice(0, 1).toUpperCase()}${id.slice(1)} Corp`,
      [`${prefix}_CLIENT_ID`]: secrets.client_id,
      [`${prefix}_CLIENT_SECRET`]: secrets.client_secret,
    }
  })
  return Object.assign({ SSO_PROVIDERS: issuers.map(({ id }) => id).join(',') }, ...each)
}

function answersOf(issuer: Issuer, redirect_uri: string): RequestListener {
  const users = new Map<string, IssuerUser>()
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }
  const provider = new Provider(issuer.url, {
    clients: [{ ...secrets, redirect_uris: [redirect_uri] }],
    jwks: { keys: [Object(key)] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    ttl: { Session: 60, Interaction: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
    findAccount: (_context, accountId) => {
      const user = users.get(accountId)
      return user && { accountId, claims: () => ({ ...user }) }
    },
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        ...(oidc.client && { clientId: oidc.client.clientId }),
        ...(oidc.session?.accountId && { accountId: oidc.session.accountId }),
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const respond = provider.callback()
  return (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void respond(request, response)
    const { user } = issuer
    if (user) users.set(user.sub, user)
    const result = user
      ? { login: { accountId: user.sub, remember: false } }
      : { error: 'access_denied', error_description: 'The user cancelled.' }
    void provider.interactionFinished(request, response, result)
  }
}
