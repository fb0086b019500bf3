// Stand-ins for identity providers, over real HTTP: an OpenID Connect issuer that a test makes
// forge and fail, and GitHub. Each has one user at a time, who agrees at once.
import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomInt,
} from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

type StandInUser = { sub: string; email: string; email_verified: boolean; name: string }
type Claims = Record<string, unknown>
/** Faults of an issuer, until they are reset. */
type Faults = {
  /** The parameters of the authorization response. */
  response?: (parameters: URLSearchParams) => void
  claims?: (claims: Claims) => Claims
  header?: Claims
  /** In place of the signature. */
  signature?: string
  /** Answers a request itself, by its path; true: it did. */
  answer?: (path: string, response: ServerResponse) => boolean
}
export type StandIn = {
  url: string
  user: StandInUser
  faults: Faults
  /** Paths that were asked for. */
  requests: string[]
  close: () => Promise<void>
}
type Grant = { redirect_uri: string; challenge: string; nonce: string | null; user: StandInUser }

const client = { client_id: 'registrar', client_secret: 'a-secret-of-the-client' }

/** A user that no other test has. */
export function someUser(more: Partial<StandInUser> = {}): StandInUser {
  const tag = randomBytes(6).toString('hex')
  const email = `${tag}@provider.example`
  return { sub: String(randomInt(1, 2 ** 40)), email, email_verified: true, name: 'Ada', ...more }
}

/** An RSA key takes a tenth of a second, and most tests ask no issuer for a signature. */
let made: { privateKey: KeyObject; publicKey: KeyObject } | undefined
function keys() {
  made ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
  return made
}
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

type Asked = { path: string; url: URL; form: URLSearchParams; token: string }
type Answers = (asked: Asked, standIn: StandIn, response: ServerResponse) => void

async function open(answers: Answers): Promise<StandIn> {
  const server: Server = createServer((request, response) => {
    void respond(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const standIn: StandIn = {
    url: `http://127.0.0.1:${port}`,
    user: someUser(),
    faults: {},
    requests: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return standIn

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', standIn.url)
    const form = new URLSearchParams(await text(request))
    standIn.requests.push(url.pathname)
    if (standIn.faults.answer?.(url.pathname, response)) return
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    answers({ path: url.pathname, url, form, token }, standIn, response)
  }
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** The grants of an issuer, each redeemed once, with the verifier of its challenge. */
function newGrants() {
  const codes = new Map<string, Grant>()
  const tokens = new Map<string, StandInUser>()
  return {
    tokens,
    /** Sends the browser back with a code. */
    authorize(
      { url, iss }: Asked & { iss: string | null },
      standIn: StandIn,
      response: ServerResponse,
    ) {
      const asked = url.searchParams
      const code = randomBytes(16).toString('hex')
      const redirect_uri = asked.get('redirect_uri') ?? ''
      const challenge = asked.get('code_challenge') ?? ''
      codes.set(code, { redirect_uri, challenge, nonce: asked.get('nonce'), user: standIn.user })
      const parameters = new URLSearchParams({ code, state: asked.get('state') ?? '' })
      if (iss !== null) parameters.set('iss', iss)
      standIn.faults.response?.(parameters)
      response.writeHead(302, { location: `${redirect_uri}?${parameters}` }).end()
    },
    redeem(form: URLSearchParams): { grant: Grant; access_token: string } | undefined {
      const code = form.get('code') ?? ''
      const grant = codes.get(code)
      codes.delete(code)
      const digest = createHash('sha256').update(form.get('code_verifier') ?? '')
      const isGood =
        grant?.challenge === digest.digest('base64url') &&
        grant.redirect_uri === form.get('redirect_uri') &&
        form.get('client_secret') === client.client_secret
      if (!isGood) return undefined
      const access_token = randomBytes(16).toString('hex')
      tokens.set(access_token, grant.user)
      return { grant, access_token }
    },
  }
}

function idToken(standIn: StandIn, grant: Grant): string {
  const { faults, url } = standIn
  const now = Math.floor(Date.now() / 1000)
  const usual = { iss: url, aud: client.client_id, iat: now, exp: now + 60, nonce: grant.nonce }
  const claims = { ...usual, ...grant.user }
  const payload = encoded(faults.claims?.(claims) ?? claims)
  const signed = `${encoded({ alg: 'RS256', kid: 'one', ...faults.header })}.${payload}`
  const signature = createSign('sha256').update(signed).sign(keys().privateKey, 'base64url')
  return `${signed}.${faults.signature ?? signature}`
}

/** An OpenID Connect issuer. */
export async function openIssuer(): Promise<StandIn> {
  const grants = newGrants()
  return open((asked, standIn, response) => {
    const { path, form, token } = asked
    const { url } = standIn
    if (path === '/.well-known/openid-configuration')
      return sendJson(response, {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        userinfo_endpoint: `${url}/userinfo`,
        jwks_uri: `${url}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
      })
    if (path === '/jwks')
      return sendJson(response, {
        keys: [
          { ...keys().publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' },
        ],
      })
    if (path === '/authorize') return grants.authorize({ ...asked, iss: url }, standIn, response)
    if (path === '/userinfo') return sendJson(response, grants.tokens.get(token) ?? {})
    const redeemed = grants.redeem(form)
    if (!redeemed) return sendJson(response, { error: 'invalid_grant' }, 400)
    const { grant, access_token } = redeemed
    const id_token = idToken(standIn, grant)
    sendJson(response, { access_token, token_type: 'Bearer', expires_in: 60, id_token })
  })
}

/** GitHub, as an Enterprise Server has it: its API is below /api/v3. */
export async function openGithubStandIn(): Promise<StandIn> {
  const grants = newGrants()
  return open((asked, standIn, response) => {
    const { path, form, token } = asked
    if (path === '/login/oauth/authorize')
      return grants.authorize({ ...asked, iss: null }, standIn, response)
    if (path === '/login/oauth/access_token') {
      const redeemed = grants.redeem(form)
      // GitHub's errors are 200.
      if (!redeemed) return sendJson(response, { error: 'bad_verification_code' })
      const { access_token } = redeemed
      return sendJson(response, { access_token, token_type: 'bearer', scope: 'user:email' })
    }
    const user = grants.tokens.get(token)
    if (!user) return sendJson(response, { message: 'Bad credentials' }, 401)
    if (path === '/api/v3/user')
      return sendJson(response, { id: Number(user.sub), login: 'ada', name: user.name })
    sendJson(response, [
      { email: `other-${user.email}`, primary: false, verified: true, visibility: null },
      { email: user.email, primary: true, verified: user.email_verified, visibility: 'private' },
    ])
  })
}

/** The settings that lead to them. */
export function ssoSettings(issuers: Record<string, string>): Record<string, string> {
  const each = Object.entries(issuers).map(([id, url]) => {
    const prefix = `SSO_${id.toUpperCase()}`
    const { client_id, client_secret } = client
    const secrets = {
      [`${prefix}_CLIENT_ID`]: client_id,
      [`${prefix}_CLIENT_SECRET`]: client_secret,
    }
    return { [`${prefix}_ISSUER`]: url, ...secrets }
  })
  return Object.assign({ SSO_PROVIDERS: Object.keys(issuers).join(',') }, ...each)
}
