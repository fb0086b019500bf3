// An OAuth client without a library, so that every parameter can be wrong: it registers, sends its
// owner, redeems codes and refresh tokens, and presents tokens to REST and MCP.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { type Choice, openBrowser } from '../support/browser.ts'
import { exchange, type Sending } from '../support/http.ts'
import type { Owner } from '../support/owner.ts'
import { type Answer, answerOf, type TestService } from '../support/service.ts'

type Fields = Record<string, string>
export type Client = { client_id: string; redirect_uri: string }
/** Parameters of a request that are put in, replaced, or (undefined) left out. */
export type Changes = Record<string, string | undefined>
type Tokens = { access_token: string; refresh_token: string; scope: string }
type Asked = { changes?: Changes; choice?: Choice }
/** A code, and everything that its redemption needs. */
type Code = { code: string; verifier: string; client: Client; answer: URL }

export const callback = 'http://127.0.0.1:43119/callback'

type Send = (path: string, init?: Sending) => Promise<Answer>

export function openAttacker(registrar: TestService) {
  const { url } = registrar
  const endpoint = `${registrar.service.settings.mcp_url}/mcp`

  const send: Send = async (path, init) => answerOf(await exchange(new URL(path, url), init))

  return {
    endpoint,
    send,
    ...asClient(registrar, send),
    /** A message to the MCP endpoint. */
    post: (token: string | null, message: unknown, headers: Fields = {}) =>
      send(endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: JSON.stringify(message),
      }),
    /** A call of a tool there. */
    call(token: string | null, name: string, args: object = {}): Promise<Answer> {
      const params = { name, arguments: args }
      return this.post(token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    },
    browser: () => openBrowser(url),
  }
}

/** The requests of a client to the authorization server. */
function asClient(registrar: TestService, send: Send) {
  async function register(metadata: object = {}): Promise<Client> {
    const body = { redirect_uris: [callback], ...metadata }
    const made = await registrar.request('POST', '/oauth/register', { body })
    assert.equal(made.status, 201, made.text)
    const { client_id, redirect_uris } = made.body
    return { client_id, redirect_uri: redirect_uris[0] }
  }

  function form(path: string, fields: Changes): Promise<Answer> {
    return send(path, { method: 'POST', body: paramsOf(fields) })
  }

  /** The URL to which the client sends its owner; the challenge is that of `verifier`. */
  function authorizeUrl(client: Client, verifier: string, changes: Changes = {}): URL {
    const asked = new URL('/oauth/authorize', registrar.url)
    const params = {
      response_type: 'code',
      ...client,
      scope: 'domains:read domains:write account:read',
      state: 'of the client',
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
      ...changes,
    }
    asked.search = paramsOf(params).toString()
    return asked
  }

  async function codeOf(owner: Owner, client: Client, asked: Asked = {}): Promise<Code> {
    const verifier = newVerifier()
    const url = authorizeUrl(client, verifier, asked.changes)
    const answer = await owner.decide(url, asked.choice)
    const code = answer.searchParams.get('code')
    assert.ok(code, answer.href)
    return { code, verifier, client, answer }
  }

  /** Redeems a code; the changes replace the fields that belong to it. */
  function redeem({ code, verifier, client }: Code, changes: Changes = {}): Promise<Answer> {
    const fields = { grant_type: 'authorization_code', ...client, code, code_verifier: verifier }
    return form('/oauth/token', { ...fields, ...changes })
  }

  function refresh({ client_id }: Client, refresh_token: string, changes: Changes = {}) {
    const fields = { grant_type: 'refresh_token', client_id, refresh_token }
    return form('/oauth/token', { ...fields, ...changes })
  }

  /** The whole flow. */
  async function connect(owner: Owner, asked: Asked = {}) {
    const client = await register()
    const code = await codeOf(owner, client, asked)
    const answer = await redeem(code)
    assert.equal(answer.status, 200, answer.text)
    return { client, code, tokens: tokensOf(answer) }
  }

  return { register, form, authorizeUrl, codeOf, redeem, refresh, connect }
}

export function tokensOf({ body }: Answer): Tokens {
  const { access_token, refresh_token, scope } = body
  return { access_token, refresh_token, scope }
}

export function newVerifier(): string {
  return randomBytes(32).toString('base64url')
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

export function paramsOf(fields: Changes): URLSearchParams {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] satisfies [string, string]],
  )
  return new URLSearchParams(given)
}
