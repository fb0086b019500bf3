// A whole connect of a program that knows one URL: it registers itself, its user logs in and
// consents, and it redeems the code. Our server and its peer get the same requests.
import { createHash, randomBytes } from 'node:crypto'
import { PasswordHasher } from '../../src/capabilities/sign-in/index.ts'
import { type Browser, decideIn, type Login } from '../../test/support/browser.ts'
import type { BenchCustomer } from './customers.ts'
import type { BenchDatabase } from './database.ts'

export type AuthorizationServer = {
  issuer: string
  register: string
  authorize: string
  token: string
  scope: string
  login: Login
}
type Connected = { ms: number; access_token: string }

const redirect_uri = 'http://127.0.0.1:7777/callback'

/** Sets the customer's password directly, without the mail. */
export async function loginOf(db: BenchDatabase, { id }: BenchCustomer): Promise<Login> {
  const password = `a long password of ${id}`
  const hash = await new PasswordHasher().hash(password)
  const [row] = await db.query(`select email from customers where id = '${id}'`)
  await db.query(
    `insert into passwords (customer_id, hash, changed_at) values ('${id}', '${hash}', now())`,
  )
  return { email: String(row?.email), password }
}

async function answerOf(url: string, init: RequestInit): Promise<Record<string, unknown>> {
  const response = await fetch(url, { method: 'POST', ...init })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return Object(JSON.parse(text))
}

/** A code, together with everything that its redemption needs. */
type Authorized = { client_id: string; code: string; code_verifier: string }

export async function connect(server: AuthorizationServer, browser: Browser): Promise<Connected> {
  const start = performance.now()
  const access_token = await redeem(server, await authorize(server, browser))
  return { ms: performance.now() - start, access_token }
}

/** Registers a client, and has it authorized. */
export async function authorize(
  server: AuthorizationServer,
  browser: Browser,
): Promise<Authorized> {
  const registered = await answerOf(server.register, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'bench',
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    }),
  })
  const client_id = String(registered.client_id)
  const code_verifier = randomBytes(32).toString('base64url')
  const asked = new URL(server.authorize)
  asked.search = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    scope: server.scope,
    prompt: 'consent',
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  const answer = await decideIn(browser, asked, { login: server.login })
  const code = answer.searchParams.get('code')
  if (code === null) throw new Error(`No code: ${answer}`)
  return { client_id, code, code_verifier }
}

/** Redeems the code, and returns the access token. */
export async function redeem(server: AuthorizationServer, authorized: Authorized): Promise<string> {
  const { access_token } = await answerOf(server.token, {
    body: new URLSearchParams({ grant_type: 'authorization_code', redirect_uri, ...authorized }),
  })
  return String(access_token)
}

/** The connect of our own server, for this customer. */
export function serverAt(url: string, login: Login, scope: string): AuthorizationServer {
  return {
    issuer: url,
    register: `${url}/oauth/register`,
    authorize: `${url}/oauth/authorize`,
    token: `${url}/oauth/token`,
    scope,
    login,
  }
}
