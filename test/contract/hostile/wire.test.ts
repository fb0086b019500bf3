// Requests that no correct client sends: each is refused quickly, with a reason, and the service is
// as well as before.
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { scopes } from '../../../src/app.ts'
import { type Answer, sharedService } from '../../support/service.ts'
import { assertInvalid, assertPlain, assertProblem } from '../support/problem.ts'
import { quickly, type RawRequest, raw } from '../support/raw-http.ts'

const registrar = await sharedService()
const customer = await registrar.customer({ scopes: [...scopes] })
const authorization = `Bearer ${customer.key}`
const json = { authorization, 'content-type': 'application/json' }
const checks = '/v1/domains/check'

const sent = (given: RawRequest) => quickly(raw(registrar, given))
const checked = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  sent({ path: checks, body, headers: { ...json, ...headers } })
const patched = (body: string | Uint8Array) =>
  sent({ method: 'PATCH', path: '/v1/account', body, headers: json })

/** A 422 in which every line has this type. */
function assertOnly(answer: Answer, type: string): void {
  const types = answer.body.detail?.map((line: { type: string }) => line.type)
  assert.deepEqual([answer.status, [...new Set(types)]], [422, [type]], answer.text.slice(0, 300))
  assert.deepEqual(Object.keys(answer.body), ['detail'])
  assertPlain(answer.text)
}

describe('bodies that are not JSON', () => {
  const texts: Record<string, string | Uint8Array> = {
    'cut off': '{"domains": ["a.com"',
    'trailing data': '{"domains": ["a.com"]} {}',
    'single quotes': "{'domains': ['a.com']}",
    'a trailing comma': '{"domains": ["a.com",]}',
    NaN: '{"domains": NaN}',
    'a comment': '{"domains": /* all */ ["a.com"]}',
    'a byte order mark': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{}')]),
    'invalid UTF-8': Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
    'UTF-16': Buffer.from('{"domains": ["a.com"]}', 'utf16le'),
    'duplicate keys': '{"domains": ["a.com"], "domains": ["b.com"]}',
    'duplicate keys by escapes': '{"domains": ["a.com"], "dom\\u0061ins": ["b.com"]}',
    'a deep array': '['.repeat(100_000) + ']'.repeat(100_000),
    'a deep object': `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`,
    'a lone surrogate': '{"domains": ["a.com"], "currency": "\\ud800"}',
    'a NUL': '{"domains": ["a.com"], "currency": "\\u0000"}',
    __proto__: '{"domains": ["a.com"], "__proto__": {"polluted": true}}',
    '__proto__ deep inside': '{"domains": [{"__proto__": {"polluted": true}}]}',
    '2^53 + 1': '{"domains": 9007199254740993}',
    'a number out of range': '{"domains": 1e999}',
  }
  for (const [name, body] of Object.entries(texts))
    it(`${name} is 422 json_invalid`, async () => assertOnly(await checked(body), 'json_invalid'))

  it('JSON other than an object is 422, too', async () => {
    for (const body of ['[]', '"text"', '1', 'null', 'true'])
      assertInvalid(await checked(body), ['body dict_type'])
    assertInvalid(await checked(''), ['body.domains missing'])
  })

  it('fields with the names of an object are fields like others', async () => {
    for (const field of ['constructor', 'toString', 'hasOwnProperty', 'prototype'])
      assertInvalid(await patched(`{"name": "Ada", "${field}": {"polluted": true}}`), [
        `body.${field} extra_forbidden`,
      ])
  })
})

describe('bodies of another kind', () => {
  const body = '{"domains": ["a.com"]}'
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/xml',
    'json',
    '',
  ]
  for (const type of types)
    it(`${type || 'no content type'} is 415`, async () =>
      assertProblem(await checked(body, { 'content-type': type }), '415 unsupported_media_type'))

  it('a compressed body is 415, whatever it contains', async () => {
    for (const encoding of ['gzip', 'br', 'deflate'])
      assertProblem(
        await checked(gzipSync(body), { 'content-encoding': encoding }),
        '415 unsupported_media_type',
      )
  })

  it('JSON by another name is read', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'APPLICATION/JSON',
      'application/ld+json',
    ])
      assert.equal((await checked(body, { 'content-type': type })).status, 200, type)
  })
})

describe('requests beyond a limit of size', () => {
  it('10 MB are 413', async () => {
    assertProblem(await checked('x'.repeat(10_000_000)), '413 body_too_large')
    assertProblem(await patched('x'.repeat(65_537)), '413 body_too_large')
  })

  it('a Content-Length above the limit is 413 before the body is sent', async () => {
    const headers = { ...json, 'content-length': '10000000000' }
    assertProblem(await sent({ path: checks, headers, body: '' }), '413 body_too_large')
  })

  it('a URL over 8 kB is 414', async () => {
    const path = `/v1/pricing/tlds?currency=${'U'.repeat(8200)}`
    assertProblem(await sent({ method: 'GET', path }), '414 uri_too_long')
  })

  it('more than 100 header fields, or 8 kB of them, are 431', async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`x-${i}`, '1']))
    const path = '/v1/health'
    assertProblem(await sent({ method: 'GET', path, headers: many }), '431 headers_too_large')
    const long = { 'x-long': 'l'.repeat(9_000) }
    assertProblem(await sent({ method: 'GET', path, headers: long }), '431 headers_too_large')
    const huge = await sent({ method: 'GET', path, headers: { 'x-huge': 'h'.repeat(100_000) } })
    assert.equal(huge.status, 431)
  })
})

test('a path that is no route is 404, a wrong method 405 with Allow', async () => {
  for (const path of ['/v1', '/v2/account', '/v1/account/', '/v1/%', '/v1/domains/%ff', '//evil'])
    assert.equal((await sent({ method: 'GET', path, headers: json })).status, 404, path)
  assertProblem(await sent({ method: 'GET', path: '/v1/domains/%ff' }), '404 route_not_found')
  const long = `/v1/domains/check/${'a'.repeat(1025)}`
  assertProblem(await sent({ method: 'GET', path: long }), '414 uri_too_long')
  const wrong = await sent({ method: 'DELETE', path: '/v1/account', headers: { authorization } })
  assertProblem(wrong, '405 method_not_allowed')
  assert.deepEqual(wrong.headers.get('allow')?.split(', ').sort(), ['GET', 'HEAD', 'PATCH'])
})

test('a token is taken from the Authorization header alone', async () => {
  const odd = [
    '',
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    customer.key,
    `Bearer ${customer.key}, x`,
    `Bearer ${'k'.repeat(600)}`,
  ]
  for (const value of odd) {
    const answer = await sent({
      method: 'GET',
      path: '/v1/account',
      headers: { authorization: value },
    })
    assert.equal(answer.status, 401, value)
  }
  const inQuery = `/v1/account?access_token=${customer.key}`
  assertProblem(await sent({ method: 'GET', path: inQuery }), '401 unauthenticated')
  const cookie = { cookie: `token=${customer.key}` }
  assert.equal((await sent({ method: 'GET', path: '/v1/account', headers: cookie })).status, 401)
})

test('a caller without permission gets that error, whatever the body is', async () => {
  const answer = await sent({ path: '/v1/domains', body: '{', headers: { 'content-type': 'x/y' } })
  assertProblem(answer, '401 unauthenticated')
})

test('an Idempotency-Key has 1 to 255 visible characters', async () => {
  const body = JSON.stringify({ domain: 'idempotency-limits.com', dry_run: true })
  for (const [key, status] of [
    ['k', 200],
    ['k'.repeat(255), 200],
    ['k'.repeat(256), 422],
    ['two words', 422],
  ] as const) {
    const headers = { ...json, 'idempotency-key': key }
    const answer = await sent({ path: '/v1/domains', body, headers })
    assert.equal(answer.status, status, `${key.slice(0, 20)} ${answer.text}`)
    if (status === 422) assert.deepEqual(answer.body.detail[0].loc, ['header', 'idempotency_key'])
  }
})

test('the service is healthy after all of it', async () => {
  const health = await registrar.request('GET', '/v1/health')
  assert.deepEqual([health.status, health.body.status], [200, 'ok'])
  assert.equal(Reflect.get({}, 'polluted'), undefined)
})
