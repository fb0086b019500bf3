// The authorization server's metadata is true: everything that it offers exists, and everything
// else is refused.
import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { describe, test } from 'node:test'
import { callback, newVerifier, openAttacker, paramsOf } from '../security/client.ts'
import { formOf } from '../support/browser.ts'
import { decideAt, newOwner, openBrowser } from '../support/owner.ts'
import { sharedService } from '../support/service.ts'

const registrar = await sharedService()
const { authorizeUrl, codeOf, form, redeem, register, send } = openAttacker(registrar)
const owner = await newOwner(registrar)
const metadata = (await send('/.well-known/oauth-authorization-server')).body

/** A client with these fields, and everything that it was answered. */
async function registered(fields: object) {
  const body = { redirect_uris: [callback], ...fields }
  const { status, body: made, text } = await registrar.request('POST', '/oauth/register', { body })
  assert.equal(status, 201, text)
  const client = { client_id: String(made.client_id), redirect_uri: callback }
  return { made, client }
}

type Secret = { client_id?: string; client_secret?: string }

/** The two ways in which a client authenticates itself: header fields, and fields of the form. */
function shown(method: string, { client_id = '', client_secret = '' }: Secret) {
  if (method === 'client_secret_basic') {
    const pair = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
    return { headers: { authorization: `Basic ${pair}` }, fields: {} }
  }
  const fields = method === 'none' ? { client_id } : { client_id, client_secret }
  return { headers: {}, fields }
}

describe('each way to authenticate', () => {
  const endpoints = ['token', 'revocation', 'introspection']

  test('is taken at each endpoint that names it', async () => {
    for (const method of metadata.token_endpoint_auth_methods_supported) {
      const { made, client } = await registered({ token_endpoint_auth_method: method })
      assert.equal(made.token_endpoint_auth_method, method)
      assert.equal('client_secret' in made, method !== 'none', method)
      const { code, verifier } = await codeOf(owner, client)
      const { headers, fields } = shown(method, made)
      const post = (path: string, more: Record<string, string>) =>
        send(path, { method: 'POST', headers, body: paramsOf({ ...fields, ...more }) })
      const redeemed = await post(metadata.token_endpoint, {
        grant_type: 'authorization_code',
        redirect_uri: callback,
        code,
        code_verifier: verifier,
      })
      assert.equal(redeemed.status, 200, `${method} ${redeemed.text}`)
      const token = redeemed.body.access_token
      const looked = await post(metadata.introspection_endpoint, { token })
      assert.equal(looked.body.active, true, method)
      assert.equal((await post(metadata.revocation_endpoint, { token })).status, 200, method)
      const gone = await post(metadata.introspection_endpoint, { token })
      assert.equal(gone.body.active, false, method)
    }
  })

  test('is the same list everywhere; another one cannot be registered', async () => {
    const offered = metadata.token_endpoint_auth_methods_supported
    for (const endpoint of endpoints)
      assert.deepEqual(metadata[`${endpoint}_endpoint_auth_methods_supported`], offered)
    for (const other of ['private_key_jwt', 'client_secret_jwt', 'tls_client_auth']) {
      assert.ok(!offered.includes(other))
      const body = { redirect_uris: [callback], token_endpoint_auth_method: other }
      assert.equal(
        (await registrar.request('POST', '/oauth/register', { body })).status,
        400,
        other,
      )
    }
  })

  test('is no longer one without its secret, or with another', async () => {
    const post = { token_endpoint_auth_method: 'client_secret_post' }
    const { made, client } = await registered(post)
    for (const client_secret of [undefined, '', 'x', `${made.client_secret}x`]) {
      const changes = client_secret === undefined ? {} : { client_secret }
      const refused = await redeem(await codeOf(owner, client), changes)
      assert.deepEqual([refused.status, refused.body.error], [401, 'invalid_client'])
    }
  })
})

describe('each grant type', () => {
  test('gives tokens, to a client that registered it', async () => {
    const [deviceCode, ...others] = metadata.grant_types_supported.toReversed()
    assert.deepEqual(others.toReversed(), ['authorization_code', 'refresh_token'])
    assert.equal(deviceCode, 'urn:ietf:params:oauth:grant-type:device_code')
    const { client } = await registered({ grant_types: metadata.grant_types_supported })
    const first = await redeem(await codeOf(owner, client))
    const { client_id } = client
    const { refresh_token } = first.body
    const grant_type = 'refresh_token'
    const next = await form('/token', { grant_type, client_id, refresh_token })
    assert.equal(next.status, 200, next.text)
    const body = paramsOf({ client_id, scope: 'account:read' })
    const device = await send(metadata.device_authorization_endpoint, { method: 'POST', body })
    assert.match(device.body.user_code, /^\w{4}-\w{4}$/, device.text)
    const once = await registered({ grant_types: ['authorization_code'] })
    const given = await redeem(await codeOf(owner, once.client))
    assert.deepEqual([given.status, 'refresh_token' in given.body], [200, false])
  })
})

describe('each scope', () => {
  test('can be asked for, all together, and the token has them', async () => {
    const wanted: string[] = metadata.scopes_supported.filter(
      // domains:write includes dns:write, which is not listed beside it.
      (scope: string) => !['offline_access', 'dns:write'].includes(scope),
    )
    const code = await codeOf(owner, await register(), {
      changes: { scope: metadata.scopes_supported.join(' ') },
      choice: { scopes: metadata.scopes_supported },
    })
    const { body, text } = await redeem(code)
    const given = String(body.scope).split(' ')
    for (const scope of wanted) assert.ok(given.includes(scope), `${scope}: ${text}`)
    const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1], 'base64url').toString())
    const headers = { authorization: `Bearer ${body.access_token}` }
    const returned = (await send(metadata.userinfo_endpoint, { headers })).body
    const seen = [...Object.keys(claims), ...Object.keys(returned)]
    for (const claim of ['sub', 'name', 'email', 'email_verified', 'iss'])
      assert.ok(metadata.claims_supported.includes(claim) && seen.includes(claim), claim)
    assert.deepEqual(metadata.subject_types_supported, ['public'])
    assert.equal(claims.sub, owner.id)
  })

  test('that is not offered is left out or refused', async () => {
    const asked = { scope: 'account:read root address phone' }
    const { body } = await redeem(await codeOf(owner, await register(), { changes: asked }))
    assert.equal(body.scope, 'account:read')
  })
})

describe('each algorithm', () => {
  test('signs id_tokens for a client that asks for it, with a key that is published', async () => {
    const offered: string[] = metadata.id_token_signing_alg_values_supported
    assert.deepEqual(offered.toSorted(), ['EdDSA', 'RS256'])
    const { keys } = (await send(metadata.jwks_uri)).body
    for (const alg of offered) {
      const { client } = await registered({ id_token_signed_response_alg: alg })
      const changes = { scope: 'openid account:read' }
      const { body } = await redeem(await codeOf(owner, client, { changes }))
      const [head = '', payload = '', signature = ''] = body.id_token.split('.')
      const header = JSON.parse(Buffer.from(head, 'base64url').toString())
      assert.equal(header.alg, alg)
      const jwk = keys.find(({ kid }: { kid: string }) => kid === header.kid)
      const key = createPublicKey({ key: jwk, format: 'jwk' })
      const bytes = Buffer.from(`${head}.${payload}`)
      const digest = alg === 'RS256' ? 'sha256' : null
      assert.ok(verify(digest, bytes, key, Buffer.from(signature, 'base64url')), alg)
    }
  })

  test('that is not offered signs nothing', async () => {
    for (const alg of ['none', 'HS256', 'ES256']) {
      const { client } = await registered({ id_token_signed_response_alg: alg })
      const changes = { scope: 'openid account:read' }
      const { body } = await redeem(await codeOf(owner, client, { changes }))
      const header = JSON.parse(Buffer.from(body.id_token.split('.')[0], 'base64url').toString())
      assert.equal(header.alg, 'RS256', alg)
    }
  })
})

describe('each response mode', () => {
  test('brings the code to the client', async () => {
    const { response_modes_supported: modes } = metadata
    assert.deepEqual(modes.toSorted(), ['form_post', 'fragment', 'query'])
    for (const response_mode of ['fragment', 'query']) {
      const asked = authorizeUrl(await register(), newVerifier(), { response_mode })
      const { hash, search } = await owner.decide(asked)
      const [full, empty] = response_mode === 'query' ? [search, hash] : [hash, search]
      assert.ok(new URLSearchParams(full.slice(1)).get('code'))
      assert.equal(empty, '')
    }
  })

  test('form_post is a form of its own to the redirect URI, with state and iss', async () => {
    const client = await register()
    const verifier = newVerifier()
    const browser = openBrowser(registrar.url)
    const state = '"><script>x</script>'
    const url = authorizeUrl(client, verifier, { response_mode: 'form_post', state })
    const shownPage = await browser.open(url)
    assert.ok('page' in shownPage)
    const consent = formOf(shownPage.page.text, shownPage.page.url)
    assert.ok(consent)
    const ended = await decideAt(browser, consent, { login: owner })
    assert.ok('page' in ended)
    const back = formOf(ended.page.text, ended.page.url)
    assert.equal(back?.action.href, client.redirect_uri)
    const fields = Object.fromEntries(back?.inputs.map(({ name, value }) => [name, value]) ?? [])
    assert.deepEqual([fields.state, fields.iss], [state, metadata.issuer])
    const code = { code: fields.code ?? '', verifier, client, answer: ended.page.url }
    assert.equal((await redeem(code)).status, 200)
  })
})

test('features that are not offered are refused', async () => {
  assert.equal(metadata.request_uri_parameter_supported, false)
  assert.equal(metadata.claims_parameter_supported, false)
  for (const absent of [
    'pushed_authorization_request_endpoint',
    'end_session_endpoint',
    'dpop_signing_alg_values_supported',
    'backchannel_logout_supported',
    'tls_client_certificate_bound_access_tokens',
    'request_parameter_supported',
  ])
    assert.ok(!metadata[absent], absent)
  for (const path of ['/oauth/par', '/oauth/logout', '/oauth/backchannel'])
    assert.equal((await send(path, { method: 'POST' })).status, 404, path)
})
