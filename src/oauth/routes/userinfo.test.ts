// Identity claims: ID tokens and UserInfo, by the granted scopes.
import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { sharedService } from '../../../test/support/service.ts'
import { connect, ownerOf, person, type Tokens } from '../flow.fixture.ts'

const registrar = await sharedService()
const query = ownerOf(registrar)

function userinfo(token: string, method = 'GET') {
  return registrar.request(method, '/oauth/userinfo', { token })
}

/** The claims of an ID token whose signature fits a published key. */
async function claimsOf({ id_token = '' }: Tokens) {
  const [head = '', body = '', signature = ''] = id_token.split('.')
  const read = (part: string) => Object(JSON.parse(Buffer.from(part, 'base64url').toString()))
  const { kid, alg } = read(head)
  const { body: published } = await registrar.request('GET', '/oauth/jwks')
  const jwk = published.keys.find((key: { kid: string }) => key.kid === kid)
  assert.ok(jwk, `key ${kid} is published`)
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = Buffer.from(`${head}.${body}`)
  const digest = alg === 'EdDSA' ? null : 'sha256'
  assert.ok(verify(digest, signed, key, Buffer.from(signature, 'base64url')))
  return read(body)
}

test('the scopes decide the claims', async () => {
  const owner = await person(registrar, query)
  const { tokens } = await connect(registrar, owner, {
    scope: 'openid profile email',
    nonce: 'n-1',
  })
  for (const method of ['GET', 'POST']) {
    const { status, body } = await userinfo(tokens.access_token, method)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).sort(), ['email', 'email_verified', 'name', 'sub'])
    assert.deepEqual([body.sub, body.email], [owner.id, owner.email])
  }
  const { iss, aud, sub, nonce, exp, iat } = await claimsOf(tokens)
  assert.deepEqual({ iss, sub, nonce }, { iss: registrar.url, sub: owner.id, nonce: 'n-1' })
  assert.match(aud, /^client_/)
  assert.equal(exp - iat, 3_600)
})

test('openid alone gives only the id', async () => {
  const owner = await person(registrar, query)
  const { tokens } = await connect(registrar, owner, { scope: 'openid account:read' })
  assert.deepEqual((await userinfo(tokens.access_token)).body, { sub: owner.id })
  const { email, name } = await claimsOf(tokens)
  assert.deepEqual([email, name], [undefined, undefined])
})

test('without openid it is 403, without a valid token 401', async () => {
  const owner = await person(registrar, query)
  const { tokens } = await connect(registrar, owner, { scope: 'account:read' })
  assert.equal(tokens.id_token, undefined)
  const forbidden = await userinfo(tokens.access_token)
  assert.equal(forbidden.status, 403)
  assert.match(forbidden.headers.get('www-authenticate') ?? '', /error="insufficient_scope"/)
  const bad = await userinfo('x'.repeat(43))
  assert.equal(bad.status, 401)
  assert.equal(bad.headers.get('www-authenticate'), 'Bearer error="invalid_token"')
  const none = await registrar.request('GET', '/oauth/userinfo')
  assert.equal(none.headers.get('www-authenticate'), 'Bearer')
  assert.equal((await userinfo(owner.key)).status, 401)
})
