// openid-client, a certified OAuth client without MCP support, with only a URL: of the REST API,
// and of the MCP endpoint.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as oauth from 'openid-client'
import { type Choice, newOwner, type Owner } from '../support/owner.ts'
import { sharedService } from '../support/service.ts'
import { buy, callback, endAccessTokens, type Fields, grantsOf } from './connect.ts'

const registrar = await sharedService()

/** Registers the client at an authorization server whose address it knows. */
function register(issuer: string | URL): Promise<oauth.Configuration> {
  const client_name = 'openid-client'
  return oauth.dynamicClientRegistration(
    new URL(issuer),
    { client_name, redirect_uris: [callback], token_endpoint_auth_method: 'none' },
    oauth.None(),
    { algorithm: 'oauth2', execute: [oauth.allowInsecureRequests] },
  )
}

/** Has the REST API's root, which is the authorization server's, too. */
async function clientOfRest() {
  const refused = await fetch(new URL('/v1/account', registrar.url))
  assert.equal(refused.status, 401)
  assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer /)
  const config = await register(registrar.url)
  const { protected_resources } = config.serverMetadata()
  assert.ok([protected_resources].flat().includes(`${registrar.url}/v1`), 'RFC 9728 section 4')
  return { config, resource: `${registrar.url}/v1` }
}

/** Has the MCP endpoint's URL, whose 401 has the metadata's URL (RFC 9728 section 5). */
async function clientOfMcp() {
  const refused = await postTool('get_account', {})
  assert.equal(refused.status, 401)
  const challenge = refused.headers.get('www-authenticate') ?? ''
  const document = /resource_metadata="([^"]+)"/.exec(challenge)?.[1]
  assert.ok(document, challenge)
  const metadata = Object(await (await fetch(document)).json())
  const [issuer] = metadata.authorization_servers
  return { config: await register(issuer), resource: String(metadata.resource) }
}

type Client = { config: oauth.Configuration; resource: string }
type Wanted = { scope?: string; choice?: Choice }

/** One authorization: its user's way to the log-in page and back. */
async function authorize({ config, resource }: Client, owner: Owner, wanted: Wanted = {}) {
  const pkceCodeVerifier = oauth.randomPKCECodeVerifier()
  const expectedState = oauth.randomState()
  const asked = oauth.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    resource,
    state: expectedState,
    code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...(wanted.scope === undefined ? {} : { scope: wanted.scope }),
  })
  const answer = await owner.decide(asked, wanted.choice)
  const checks = { pkceCodeVerifier, expectedState }
  return oauth.authorizationCodeGrant(config, answer, checks, { resource })
}

const json = { 'content-type': 'application/json', accept: 'application/json' }

function postTool(tool: string, args: Fields, token?: string): Promise<Response> {
  return fetch(`${registrar.service.settings.mcp_url}/mcp`, {
    method: 'POST',
    headers: { ...json, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: args },
    }),
  })
}

describe('openid-client', () => {
  it('buys over REST, and continues with a refreshed token', async () => {
    const owner = await newOwner(registrar)
    const client = await clientOfRest()
    const { config, resource } = client
    const tokens = await authorize(client, owner)
    assert.ok(tokens.refresh_token)

    const call = (token: string, path: string, body?: object) => {
      const [method, text] = body ? ['POST', JSON.stringify(body)] : ['GET', null]
      const url = new URL(path, registrar.url)
      return oauth.fetchProtectedResource(config, token, url, method, text, new Headers(json))
    }
    const me = Object(await (await call(tokens.access_token, '/v1/account')).json())
    assert.equal(me.id, owner.id)
    const domain = 'openid-client-rest.com'
    const made = await call(tokens.access_token, '/v1/domains', { domain })
    assert.equal(Object(await made.json()).status, 'active')

    await endAccessTokens(registrar, owner)
    await assert.rejects(call(tokens.access_token, '/v1/account'), { status: 401 })
    const fresh = await oauth.refreshTokenGrant(config, tokens.refresh_token, { resource })
    assert.notEqual(fresh.refresh_token, tokens.refresh_token)
    const read = await call(fresh.access_token, `/v1/domains/${domain}`)
    assert.equal(Object(await read.json()).status, 'active')
    const elsewhere = await postTool('get_account', {}, fresh.access_token)
    assert.equal(elsewhere.status, 401, 'a token for the REST API is none at the MCP endpoint')
  })

  it('buys over MCP, and requests more scopes when its token is insufficient', async () => {
    const owner = await newOwner(registrar)
    const client = await clientOfMcp()
    const few = await authorize(client, owner, { scope: 'account:read domains:read' })
    assert.equal(few.scope, 'account:read domains:read')
    const domain = 'openid-client-mcp.com'
    const lacking = await postTool('register_domain', { domain }, few.access_token)
    assert.equal(lacking.status, 403)
    const challenge = lacking.headers.get('www-authenticate') ?? ''
    assert.match(challenge, /error="insufficient_scope"/)
    const scope = /scope="([^"]+)"/.exec(challenge)?.[1] ?? ''
    assert.ok(scope.split(' ').includes('domains:purchase'), challenge)

    const tokens = await authorize(client, owner, { scope: `${few.scope} ${scope}` })
    const use = async (tool: string, args: Fields): Promise<Fields> => {
      const { result } = Object(await (await postTool(tool, args, tokens.access_token)).json())
      assert.ok(!result.isError, JSON.stringify(result))
      return result.structuredContent
    }
    await buy({ registrar, owner, domain, program: { use } })
    await endAccessTokens(registrar, owner)
    const ended = await postTool('get_domain', { domain }, tokens.access_token)
    assert.equal(ended.status, 401)
    const fresh = await oauth.refreshTokenGrant(client.config, tokens.refresh_token ?? '')
    const read = await postTool('get_domain', { domain }, fresh.access_token)
    assert.equal(Object(await read.json()).result.structuredContent.status, 'active')
    const path = `/v1/domains/${domain}`
    const elsewhere = await registrar.request('GET', path, { token: fresh.access_token })
    assert.equal(elsewhere.status, 401, 'a token for the MCP endpoint is none at the REST API')
  })

  it('gets access_denied when its owner denies consent', async () => {
    const owner = await newOwner(registrar)
    const client = await clientOfMcp()
    const denied = authorize(client, owner, { choice: { decision: 'deny' } })
    await assert.rejects(denied, { error: 'access_denied' })
    assert.deepEqual(await grantsOf(registrar, owner), [])
  })
})
