// An OAuth client step by step, for tests of the authorization server: registration, authorization
// in its owner's browser, redemption.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import { formOf } from '../../test/support/browser.ts'
import { exchange } from '../../test/support/http.ts'
import { type Choice, decideAt, openBrowser } from '../../test/support/owner.ts'
import { newPasswordHasher } from '../../test/support/password-hasher.ts'
import {
  type Answer,
  answerOf,
  type TestCustomer,
  type TestService,
} from '../../test/support/service.ts'

export const redirect_uri = 'https://client.example/callback'
const password = 'a horse, a battery & a staple'
const hash = await newPasswordHasher().hash(password)

/** Runs SQL as the owner of the database, to arrange a case and to look at its result. */
export function ownerOf(registrar: TestService) {
  const pool = new pg.Pool({
    connectionString: registrar.service.settings.database_url ?? '',
    max: 2,
  })
  after(() => pool.end())
  return async (text: string, params: unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await pool.query(text, params)).rows
}
type Query = ReturnType<typeof ownerOf>

export type Person = TestCustomer & { browser: ReturnType<typeof openBrowser> }

/** Makes a customer with a password, without sending a mail. */
export async function person(registrar: TestService, query: Query): Promise<Person> {
  const customer = await registrar.customer({ contact: false, funds_cents: 0 })
  await query('insert into passwords values ($1, $2, now())', [customer.id, hash])
  return { ...customer, browser: openBrowser(registrar.url) }
}

/** Posts a form, as clients do to the token endpoint. */
export async function post(url: string, fields: Record<string, string>): Promise<Answer> {
  return answerOf(await exchange(url, { method: 'POST', body: new URLSearchParams(fields) }))
}

export type Client = { client_id: string; redirect_uri: string }

export async function register(registrar: TestService, more: object = {}): Promise<Client> {
  const body = { client_name: 'A <b>client</b>', redirect_uris: [redirect_uri], ...more }
  const {
    status,
    body: client,
    text,
  } = await registrar.request('POST', '/oauth/register', { body })
  assert.equal(status, 201, text)
  return { client_id: client.client_id, redirect_uri }
}

type Authorization = { url: URL; verifier: string; state: string }

/** The authorization request. `change` replaces parameters, or removes those that are null. */
export function authorization(
  registrar: TestService,
  client: Client,
  change: Record<string, string | null> = {},
): Authorization {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(8).toString('hex')
  const usual = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: client.redirect_uri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
  }
  const url = new URL('/oauth/authorize', registrar.url)
  for (const [name, value] of Object.entries({ ...usual, ...change }))
    if (value !== null) url.searchParams.set(name, value)
  return { url, verifier, state }
}

/** The authorization response: the parameters at the client's redirect URI. */
export async function decide(
  { browser, email }: Person,
  { url }: Authorization,
  choice: Choice = {},
): Promise<URLSearchParams> {
  const shown = await browser.open(url)
  if ('away' in shown) return shown.away.searchParams
  const form = formOf(shown.page.text, shown.page.url)
  assert.ok(form, shown.page.text)
  const ended = await decideAt(browser, form, { login: { email, password }, choice })
  assert.ok('away' in ended, 'page' in ended ? ended.page.text : '')
  assert.ok(ended.away.href.startsWith(`${redirect_uri}?`))
  return ended.away.searchParams
}

/** The token endpoint's answer to a code. */
export function redeem(
  registrar: TestService,
  client: Client,
  { code, verifier, ...more }: { code: string; verifier: string; [name: string]: string },
): Promise<Answer> {
  return post(`${registrar.url}/oauth/token`, {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    ...client,
    ...more,
  })
}

export function refresh(
  registrar: Pick<TestService, 'url'>,
  { client_id }: Client,
  fields: { refresh_token: string; scope?: string; resource?: string },
): Promise<Answer> {
  const more = { grant_type: 'refresh_token', client_id }
  return post(`${registrar.url}/oauth/token`, { ...fields, ...more })
}

export type Tokens = {
  access_token: string
  refresh_token: string
  scope: string
  id_token?: string
  expires_in: number
}

/** Goes through the whole flow once. */
export async function connect(
  registrar: TestService,
  owner: Person,
  change: Record<string, string | null> = {},
): Promise<{ client: Client; tokens: Tokens }> {
  const client = await register(registrar)
  const asked = authorization(registrar, client, change)
  const answer = await decide(owner, asked)
  const code = answer.get('code') ?? ''
  const { status, body, text } = await redeem(registrar, client, { code, verifier: asked.verifier })
  assert.equal(status, 200, `${answer} ${text}`)
  const { access_token, refresh_token, scope, id_token, expires_in } = body
  return { client, tokens: { access_token, refresh_token, scope, id_token, expires_in } }
}

/** Calls the tool get_account at a node. Returns the status and the account's id. */
export async function callTool(root: string, token: string) {
  const { status, text } = await exchange(`${root}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_account', arguments: {} },
    }),
  })
  const { result } = Object(JSON.parse(text))
  return { status, id: result?.structuredContent?.id }
}
