// Access tokens and their audience: tokens for another resource, in a URL, forged JWTs and other
// secrets of a client are rejected. A 403 lists all scopes that the token lacks.
import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { describe, test } from 'node:test'
import { openKeys } from '../../src/oauth/keys/keys.ts'
import { newOwner } from '../support/owner.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { sharedService, untilCached } from '../support/service.ts'
import { newVerifier, openAttacker, tokensOf } from './client.ts'
import { forgeriesOf } from './forgeries.ts'

const registrar = await sharedService()
const attacker = openAttacker(registrar)
const { authorizeUrl, codeOf, connect, form, redeem, register, send } = attacker
const call = attacker.call.bind(attacker)
const owner = await newOwner(registrar)
const { base_url, mcp_url } = registrar.service.settings
const mcpResource = `${mcp_url}/mcp`

/** An ID token of the owner's, and forgeries of it. */
async function newIdToken() {
  const client = await register()
  const code = await codeOf(owner, client, { changes: { scope: 'openid account:read' } })
  const { body } = await redeem(code)
  const { keys } = (await send('/oauth/jwks')).body
  const [signing] = (await openKeys(registrar.service.app)).sign.filter(
    ({ alg }) => alg === 'RS256',
  )
  const forgeries = forgeriesOf({
    id_token: body.id_token,
    published: keys[0],
    resource: mcpResource,
    ours: createPrivateKey({ key: JSON.parse(JSON.stringify(signing)), format: 'jwk' }),
  })
  return { client, signing, ...forgeries }
}

// Before the first test starts: the owner's browser consents to one request after the other.
const { client, signing, claims, header, forged } = await newIdToken()

/** The statuses for a token: at the REST API, at MCP, and at UserInfo. */
async function statusesOf(token: string) {
  const rest = await registrar.request('GET', '/v1/account', { token })
  const mcp = await call(token, 'get_account')
  const identity = await registrar.request('GET', '/oauth/userinfo', { token })
  return { rest: rest.status, mcp: mcp.status, identity: identity.status }
}

describe('a token', () => {
  test('is valid at the requested resource, and at no other', async () => {
    const forMcp = await connect(owner)
    const forRest = await connect(owner, { changes: { resource: `${base_url}/v1` } })
    const atMcp = await statusesOf(forMcp.tokens.access_token)
    const atRest = await statusesOf(forRest.tokens.access_token)
    assert.deepEqual([atMcp.mcp, atMcp.rest], [200, 401])
    assert.deepEqual([atRest.mcp, atRest.rest], [401, 200])
  })

  test('rejected at one resource stays valid at its own', async () => {
    const { tokens } = await connect(owner)
    await untilCached(registrar)
    for (const status of [200, 401, 200, 401]) {
      const answer =
        status === 200
          ? await call(tokens.access_token, 'get_account')
          : await registrar.request('GET', '/v1/account', { token: tokens.access_token })
      assert.equal(answer.status, status)
    }
  })

  test('is for MCP if no resource is named', async () => {
    for (const resource of [undefined, mcpResource, `${mcpResource}/`]) {
      const { tokens } = await connect(owner, { changes: { resource } })
      const { mcp, rest } = await statusesOf(tokens.access_token)
      assert.deepEqual([mcp, rest], [200, 401], resource ?? 'none')
    }
  })
})

describe('an audience', () => {
  test('is one, even if two were consented to', async () => {
    const client = await register()
    const verifier = newVerifier()
    const two = authorizeUrl(client, verifier, { resource: mcpResource })
    two.searchParams.append('resource', `${base_url}/v1`)
    const answer = await owner.decide(two)
    const code = answer.searchParams.get('code') ?? ''
    const redeemed = await redeem(
      { code, verifier, client, answer },
      { resource: `${base_url}/v1` },
    )
    assert.equal(redeemed.status, 200, redeemed.text)
    const { mcp, rest } = await statusesOf(tokensOf(redeemed).access_token)
    assert.deepEqual([mcp, rest], [401, 200])
  })

  test('that is missing, or in another form, makes a token invalid everywhere', async () => {
    for (const aud of [null, '', [mcpResource, base_url], `${mcpResource}/`, `${mcp_url}/MCP`]) {
      const { tokens } = await connect(owner)
      const changed = await rowsIn(registrar)(
        `update oauth_models
            set payload = case when $2::jsonb = 'null' then payload - 'aud'
                          else jsonb_set(payload, '{aud}', $2) end
          where model = 'AccessToken' and id_hash = sha256(convert_to($1, 'UTF8'))
          returning payload -> 'aud' as aud`,
        [tokens.access_token, JSON.stringify(aud)],
      )
      assert.deepEqual(changed, [{ aud }], 'the row of the token was found')
      const refused = { rest: 401, mcp: 401, identity: 401 }
      assert.deepEqual(await statusesOf(tokens.access_token), refused, JSON.stringify(aud))
    }
  })

  test('of a third party is not issued', async () => {
    const client = await register()
    const foreign = [
      'https://evil.example/mcp',
      `${mcpResource}/other`,
      `${mcp_url}.evil.example/mcp`,
      mcpResource.replace('http', 'https'),
      `${mcpResource}?x=1`,
      `${mcpResource}#x`,
      'urn:example:mcp',
      'mcp',
    ]
    for (const resource of foreign) {
      const arrived = await attacker
        .browser()
        .open(authorizeUrl(client, newVerifier(), { resource }))
      assert.ok('away' in arrived, resource)
      assert.equal(arrived.away.searchParams.get('error'), 'invalid_target', resource)
    }
    const both = authorizeUrl(client, newVerifier(), { resource: mcpResource })
    both.searchParams.append('resource', 'https://evil.example/mcp')
    const beside = await attacker.browser().open(both)
    assert.ok('away' in beside && beside.away.searchParams.get('error') === 'invalid_target')
    const code = await codeOf(owner, client)
    const redeemed = await redeem(code, { resource: 'https://evil.example/mcp' })
    assert.deepEqual([redeemed.status, redeemed.body.error], [400, 'invalid_target'])
  })
})

describe('a challenge', () => {
  test('lists all scopes that the call needs, besides those of the token', async () => {
    const { tokens } = await connect(owner, { choice: { scopes: ['account:read'] } })
    const answer = await call(tokens.access_token, 'register_domain', { domain: 'wish.example' })
    assert.equal(answer.status, 403)
    const challenge = answer.headers.get('www-authenticate') ?? ''
    assert.match(challenge, /^Bearer error="insufficient_scope"/)
    assert.match(challenge, /scope="account:read domains:purchase"/)
    assert.match(challenge, /resource_metadata="/)
    const { type, hint, url } = answer.body.error.data.next_action
    assert.equal(type, 'add_scope')
    assert.match(hint, /^Authorize again, with the scope/)
    assert.match(url, /^http.*\/dashboard\/connected-apps$/)
  })

  test('without a token points to the metadata', async () => {
    const answer = await call(null, 'get_account')
    assert.equal(answer.status, 401)
    const challenge = answer.headers.get('www-authenticate') ?? ''
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
    const { body } = await send(metadata)
    assert.equal(body.resource, mcpResource)
    assert.deepEqual(body.authorization_servers, [base_url])
    const [, scope = ''] = /scope="([^"]+)"/.exec(challenge) ?? []
    assert.deepEqual(scope.split(' '), body.scopes_supported)
  })
})

describe('in the query string', () => {
  test('a valid token is rejected', async () => {
    const { tokens } = await connect(owner)
    const forRest = await connect(owner, { changes: { resource: base_url } })
    const inQuery = (token: string) => `?access_token=${encodeURIComponent(token)}`
    for (const path of [
      `/v1/account${inQuery(forRest.tokens.access_token)}`,
      `/v1/account${inQuery(owner.key)}`,
      `/v1/health${inQuery(owner.key)}`,
      `/oauth/userinfo${inQuery(tokens.access_token)}`,
    ])
      assert.equal((await send(path)).status, 401, path)
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const answer = await send(`/mcp${inQuery(tokens.access_token)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    })
    assert.equal(answer.status, 401)
  })
})

describe('in a form', () => {
  test('a token is ignored: only the header field is read', async () => {
    const { tokens } = await connect(owner, { changes: { scope: 'openid account:read' } })
    const { access_token } = tokens
    assert.equal((await form('/oauth/userinfo', { access_token })).status, 401)
    const headers = { authorization: `Bearer ${access_token}` }
    const secret = await send('/oauth/userinfo', { method: 'POST', headers })
    assert.deepEqual([secret.status, secret.body.sub], [200, owner.id])
  })
})

describe('another secret', () => {
  test('of the same flow is not an access token', async () => {
    const { client, code, tokens } = await connect(owner)
    const unused = await codeOf(owner, client)
    for (const secret of [
      tokens.refresh_token,
      unused.code,
      code.code,
      client.client_id,
      code.verifier,
      newVerifier(),
      `${tokens.access_token}a`,
      tokens.access_token.slice(0, -1),
      tokens.access_token.toLowerCase(),
    ])
      assert.deepEqual(await statusesOf(secret), { rest: 401, mcp: 401, identity: 401 })
    assert.equal((await call(tokens.access_token, 'get_account')).status, 200)
  })

  test('with another scheme is rejected', async () => {
    const { tokens } = await connect(owner)
    for (const authorization of [
      `DPoP ${tokens.access_token}`,
      `Basic ${Buffer.from(`${tokens.access_token}:`).toString('base64')}`,
      `Token ${tokens.access_token}`,
      tokens.access_token,
      `Bearer ${tokens.access_token} ${tokens.access_token}`,
      `Bearer ${tokens.access_token}, Bearer ${tokens.access_token}`,
    ]) {
      const init = {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
      }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      assert.equal((await send('/mcp', { ...init, body })).status, 401, authorization.slice(0, 12))
    }
  })
})

describe('a JWT', () => {
  test('is issued to the client, about the logged-in customer', () => {
    assert.equal(claims.aud, client.client_id)
    assert.equal(claims.iss, base_url)
    assert.equal(claims.sub, owner.id)
    assert.deepEqual([header.alg, header.kid], ['RS256', signing?.kid])
  })

  test('is not an access token, with any signature', async () => {
    for (const [words, token] of Object.entries(forged))
      assert.deepEqual(await statusesOf(token), { rest: 401, mcp: 401, identity: 401 }, words)
  })

  test('is not a token for introspection or a refresh either', async () => {
    for (const [words, token] of Object.entries(forged)) {
      const { client_id } = client
      const seen = await form('/oauth/introspect', { client_id, token })
      assert.equal(seen.body.active ?? false, false, words)
      const fields = { grant_type: 'refresh_token', client_id, refresh_token: token }
      assert.equal((await form('/oauth/token', fields)).status, 400, words)
    }
  })

  test('does not authenticate a client', async () => {
    const fresh = await codeOf(owner, client)
    const answer = await redeem(fresh, {
      client_id: undefined,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: forged['with its own key beside it'],
    })
    assert.ok([400, 401].includes(answer.status), answer.text)
    assert.equal(answer.body.access_token, undefined)
  })
})
