// The journey of a third-party client that has only the URL: from the first 401 to a bought domain
// and a refreshed token.
import assert from 'node:assert/strict'
import pg from 'pg'
import type { Owner } from '../support/owner.ts'
import type { TestService } from '../support/service.ts'

export type Fields = Record<string, unknown>
/** The client's redirect URI. No server listens there; the test passes the URL on. */
export const callback = 'http://127.0.0.1:43117/callback'

/** The storage of an OAuth client, in the form that both SDKs require. */
type Wallet<Registered, Tokens, Discovered> = {
  discovered?: Discovered | undefined
  registered?: Registered | undefined
  tokens?: Tokens | undefined
  verifier?: string
  state?: string
  /** The last authorization URL of the client. */
  asked?: URL | undefined
}

/** A client's storage, and the OAuth provider of the SDK over it. */
export function newProvider<Registered, Tokens, Discovered>(client_name: string) {
  const wallet: Wallet<Registered, Tokens, Discovered> = {}
  const provider = {
    redirectUrl: callback,
    clientMetadata: {
      client_name,
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => {
      wallet.state = crypto.randomUUID()
      return wallet.state
    },
    clientInformation: () => wallet.registered,
    saveClientInformation: (information: Registered) => {
      wallet.registered = information
    },
    tokens: () => wallet.tokens,
    saveTokens: (tokens: Tokens) => {
      wallet.tokens = tokens
    },
    redirectToAuthorization: (url: URL) => {
      wallet.asked = url
    },
    saveCodeVerifier: (verifier: string) => {
      wallet.verifier = verifier
    },
    codeVerifier: () => wallet.verifier ?? '',
    discoveryState: () => wallet.discovered,
    saveDiscoveryState: (discovered: Discovered) => {
      wallet.discovered = discovered
    },
  }
  return { wallet, provider }
}

export type Program = {
  /** A tool's structured answer. Rejects when consent is needed first. */
  use: (tool: string, args: Fields) => Promise<Fields>
  /** The authorization URL, if there was one since the last call. */
  asked: () => URL | undefined
  /** Passes the redirect of the browser to the client. */
  finish: (callback: URL) => Promise<unknown>
  tokens: () => { access_token: string; refresh_token?: string | undefined } | undefined
  state: () => string | undefined
}
type Walk<P = Program> = { registrar: TestService; owner: Owner; program: P; domain: string }

/** Its first call is refused; it registers itself; the owner decides; the client continues. */
export async function connect(walk: Omit<Walk, 'domain'>, scopes?: readonly string[]) {
  const { program, owner, registrar } = walk
  await assert.rejects(program.use('get_account', {}), 'the first call has no token')
  const asked = program.asked()
  assert.ok(asked, 'the client sends its user to the log-in page')
  assert.equal(asked.origin, new URL(registrar.url).origin)
  assert.equal(asked.searchParams.get('code_challenge_method'), 'S256')
  assert.equal(asked.searchParams.get('resource'), `${registrar.service.settings.mcp_url}/mcp`)
  const answer = await owner.decide(asked, scopes ? { scopes } : {})
  assert.ok(answer.href.startsWith(callback), answer.href)
  assert.equal(answer.searchParams.get('state'), program.state() ?? null)
  assert.equal(answer.searchParams.get('iss'), registrar.url)
  await program.finish(answer)
  return asked
}

/** Asks for a price, buys at it, reads the domain back, and checks the ledger. */
export async function buy({
  registrar,
  owner,
  program,
  domain,
}: Walk<Pick<Program, 'use'>>): Promise<void> {
  const checked = await program.use('check_domain_availability', { domains: [domain] })
  const [offer] = [checked.domains].flat().map(Object)
  assert.equal(offer.available, true)
  const max_price = offer.price.amount
  const order = { domain, max_price, idempotency_key: `connect-${domain}` }
  const bought = await program.use('register_domain', order)
  assert.equal(bought.status, 'active', JSON.stringify(bought))
  const read = await program.use('get_domain', { domain })
  assert.deepEqual([read.status, read.expiry], ['active', bought.expiry])
  assert.equal(registrar.sandbox.lookup(domain)?.sponsor, 'registrar-a')
  await paidOnce(registrar, owner, { domain, amount: max_price })
}

/** The money for this domain was held once and captured once, and nothing else moved. */
async function paidOnce(
  registrar: TestService,
  owner: Owner,
  { domain, amount }: { domain: string; amount: string },
): Promise<void> {
  const path = `/v1/customers/${owner.id}/billing/transactions`
  const { body } = await registrar.request('GET', path, { token: owner.key })
  const moved: Fields[] = [body.transactions].flat().filter((one) => one.domain === domain)
  assert.deepEqual(
    moved.map(({ type, amount }) => [type, amount]),
    [
      ['capture', `-${amount}`],
      ['hold', `-${amount}`],
    ],
  )
}

/** Its access token has expired: the client refreshes it without its user. */
export async function refresh({ registrar, owner, program, domain }: Walk): Promise<void> {
  const before = program.tokens()
  assert.ok(before?.refresh_token)
  await endAccessTokens(registrar, owner)
  const read = await program.use('get_domain', { domain })
  assert.equal(read.status, 'active')
  assert.equal(program.asked(), undefined, 'no consent is asked for')
  const after = program.tokens()
  assert.notEqual(after?.access_token, before.access_token)
  assert.notEqual(after?.refresh_token, before.refresh_token, 'a refresh token is valid once')
}

/** Expires the customer's access tokens, and their cached states on every node. */
export async function endAccessTokens(registrar: TestService, owner: Owner): Promise<void> {
  const { database_url } = registrar.service.settings
  const client = new pg.Client({ connectionString: database_url ?? '' })
  await client.connect()
  const ended = await client.query(
    `update oauth_models
        set expires_at = clock_timestamp() - interval '1 second',
            payload = payload || jsonb_build_object(
              'exp', extract(epoch from clock_timestamp())::bigint - 1)
      where model = 'AccessToken' and account_id = $1`,
    [owner.id],
  )
  await client.query(`select pg_notify('access_revoked', $1)`, [owner.id])
  await client.end()
  assert.ok((ended.rowCount ?? 0) > 0, 'there are access tokens')
}

/** The current consents of the owner. */
export async function grantsOf(registrar: TestService, owner: Owner): Promise<Fields[]> {
  const { body } = await registrar.request('GET', '/v1/account/oauth-grants', { token: owner.key })
  return body.oauth_grants
}
