// Authorization server metadata and keys: the same at every path, and independent of the Host
// header.
import assert from 'node:assert/strict'
import { request as rawRequest } from 'node:http'
import { test } from 'node:test'
import { sharedService } from '../../../test/support/service.ts'
import { scopes } from '../../app.ts'

const registrar = await sharedService()
const places = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/openid-configuration',
]

test('all paths have the same metadata, and its issuer is the base URL', async () => {
  const documents = await Promise.all(places.map((place) => registrar.request('GET', place)))
  const [first] = documents
  assert.ok(first)
  for (const one of documents) {
    assert.equal(one.status, 200)
    assert.deepEqual(one.body, first.body)
    assert.equal(one.headers.get('access-control-allow-origin'), '*')
    assert.equal(one.headers.get('cache-control'), 'public, max-age=300')
    assert.match(one.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
    assert.equal(one.headers.get('x-content-type-options'), 'nosniff')
    assert.match(one.headers.get('ratelimit') ?? '', /^"address";r=\d+;t=\d+$/)
  }
  const { body } = first
  assert.equal(body.issuer, registrar.url)
  assert.equal(body.authorization_endpoint, `${registrar.url}/oauth/authorize`)
  assert.equal(body.token_endpoint, `${registrar.url}/oauth/token`)
  assert.equal(body.registration_endpoint, `${registrar.url}/oauth/register`)
  assert.equal(body.jwks_uri, `${registrar.url}/oauth/jwks`)
  assert.equal(body.revocation_endpoint, `${registrar.url}/oauth/revoke`)
  assert.equal(body.introspection_endpoint, `${registrar.url}/oauth/introspect`)
  assert.equal(body.userinfo_endpoint, `${registrar.url}/oauth/userinfo`)
  assert.deepEqual(body.code_challenge_methods_supported, ['S256'])
  assert.deepEqual(body.response_types_supported, ['code'])
  assert.deepEqual(body.grant_types_supported, [
    'authorization_code',
    'refresh_token',
    'urn:ietf:params:oauth:grant-type:device_code',
  ])
  assert.equal(body.device_authorization_endpoint, `${registrar.url}/oauth/device_authorization`)
  assert.deepEqual(body.id_token_signing_alg_values_supported.toSorted(), ['EdDSA', 'RS256'])
  assert.equal(body.authorization_response_iss_parameter_supported, true)
  assert.equal(body.client_id_metadata_document_supported, true)
  assert.deepEqual(body.protected_resources, [
    `${registrar.url}/mcp`,
    registrar.url,
    `${registrar.url}/v1`,
  ])
  for (const scope of ['openid', 'offline_access', 'profile', 'email', ...scopes])
    assert.ok(body.scopes_supported.includes(scope), scope)
  assert.deepEqual(
    Object.keys(body).filter((name) => /dpop|pushed|end_session|request_object/.test(name)),
    [],
  )
})

/** A raw request: fetch would not allow a forged Host header. */
async function rawGet(path: string, headers: Record<string, string>): Promise<string> {
  const { hostname, port } = new URL(registrar.url)
  return new Promise((resolve, reject) => {
    const sent = rawRequest({ hostname, port, path, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => {
        text += part
      })
      answer.on('end', () => resolve(text))
    })
    sent.on('error', reject)
    sent.end()
  })
}

test('neither Host nor X-Forwarded-Host nor an absolute request line is echoed', async () => {
  const [place = ''] = places
  const forged = {
    host: 'evil.test',
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'https',
  }
  const expected = JSON.parse(await rawGet(place, {}))
  assert.deepEqual(JSON.parse(await rawGet(place, forged)), expected)
  assert.deepEqual(JSON.parse(await rawGet(`http://evil.test${place}`, forged)), expected)
})

test('HEAD has the header fields of GET, and CORS preflight is allowed', async () => {
  for (const place of [...places, '/oauth/jwks']) {
    const head = await registrar.request('HEAD', place)
    assert.equal(head.status, 200)
    assert.equal(head.text, '')
    const asked = await registrar.request('OPTIONS', place)
    assert.equal(asked.status, 204)
    assert.equal(asked.headers.get('access-control-allow-methods'), 'GET, HEAD, OPTIONS')
  }
})

test('the keys that are published have no private part', async () => {
  const { body } = await registrar.request('GET', '/oauth/jwks')
  assert.deepEqual(
    body.keys.map(({ alg, use }: Record<string, string>) => `${alg} ${use}`).sort(),
    ['EdDSA sig', 'RS256 sig'],
  )
  for (const key of body.keys)
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) assert.ok(!(secret in key), secret)
})

test('a wrong method gets the usual 405', async () => {
  const { status, body, headers } = await registrar.request('DELETE', '/oauth/jwks')
  assert.equal(status, 405)
  assert.equal(body.code, 'method_not_allowed')
  assert.equal(headers.get('allow'), 'OPTIONS, GET, HEAD')
})
