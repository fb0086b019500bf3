// Validation of client metadata.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normalizeName } from '../shared/display-name.ts'
import { ClientMetadataError, maxNameLength, parseClientMetadata } from './client-metadata.ts'

const redirect_uris = ['http://127.0.0.1:3000/cb']

function read(input: unknown) {
  return parseClientMetadata(input, ['none', 'client_secret_post'])
}

function refusal(input: unknown): ClientMetadataError {
  try {
    read(input)
  } catch (error) {
    if (error instanceof ClientMetadataError) return error
  }
  throw new assert.AssertionError({ message: `${JSON.stringify(input)} is taken` })
}

test('minimal metadata makes a native public client with refresh tokens', () => {
  assert.deepEqual(read({ redirect_uris }), {
    redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'native',
    token_endpoint_auth_method: 'none',
  })
})

test('the application type follows from the redirect URIs, whatever the client declares', () => {
  const kinds: [string[], string][] = [
    [['https://example.com/cb'], 'web'],
    [['https://example.com/cb', 'http://localhost/cb'], 'native'],
    [['cursor://host/cb'], 'native'],
    [['http://[::1]/cb'], 'native'],
  ]
  for (const [uris, kind] of kinds)
    for (const application_type of ['web', 'native', undefined])
      assert.equal(read({ redirect_uris: uris, application_type }).application_type, kind)
})

test('unknown fields are dropped, so no URL in them is ever loaded', () => {
  const kept = read({
    redirect_uris,
    scope: 'openid',
    jwks_uri: 'http://127.0.0.1/jwks',
    jwks: { keys: [] },
    request_uris: ['http://127.0.0.1/'],
    sector_identifier_uri: 'https://127.0.0.1/',
    backchannel_logout_uri: 'http://127.0.0.1/',
    initiate_login_uri: 'https://127.0.0.1/',
    software_statement: 'e30.e30.',
    client_id: 'mine',
    client_secret: 'mine',
    registration_access_token: 'mine',
    id_token_signed_response_alg: 'HS256',
    subject_type: 'pairwise',
    contacts: ['a@example.com'],
    constructor: { prototype: {} },
  })
  assert.deepEqual(Object.keys(kept).sort(), [
    'application_type',
    'grant_types',
    'redirect_uris',
    'response_types',
    'token_endpoint_auth_method',
  ])
})

test('links are stored if they are https, in their normal form', () => {
  const kept = read({
    redirect_uris,
    client_uri: 'https://Example.com/a b',
    logo_uri: 'http://127.0.0.1/logo.png',
    policy_uri: 'javascript:alert(1)',
    tos_uri: 'https://user:pass@example.com/',
  })
  assert.equal(kept.client_uri, 'https://example.com/a%20b')
  assert.equal(kept.logo_uri, undefined)
  assert.equal(kept.policy_uri, undefined)
  assert.equal(kept.tos_uri, undefined)
  const long = read({ redirect_uris, logo_uri: `https://example.com/${'a'.repeat(2000)}` })
  assert.equal(long.logo_uri, undefined)
})

test('unsupported grant types are left out; a client without a supported one is rejected', () => {
  const device = 'urn:ietf:params:oauth:grant-type:device_code'
  const some = read({ redirect_uris, grant_types: ['authorization_code', device, 'password'] })
  assert.deepEqual(some.grant_types, ['authorization_code', device])
  for (const grant_types of [['implicit'], ['password'], ['client_credentials'], []])
    assert.match(refusal({ redirect_uris, grant_types }).message, /authorization_code/)
  assert.match(refusal({ redirect_uris, grant_types: 'authorization_code' }).message, /list/)
  assert.match(refusal({ redirect_uris, grant_types: [1] }).message, /list of texts/)
})

test('a client with the device flow alone has no redirect URI and no response type', () => {
  const grant_types = ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token']
  for (const more of [{}, { redirect_uris: [] }, { redirect_uris }, { response_types: [] }]) {
    const kept = read({ grant_types, ...more })
    assert.deepEqual(kept.grant_types.toSorted(), grant_types.toSorted())
    assert.deepEqual([kept.redirect_uris, kept.response_types], [[], []])
  }
  const both = [...grant_types, 'authorization_code']
  assert.match(refusal({ grant_types: both }).message, /redirect_uris/)
})

test('the response type must be code', () => {
  assert.deepEqual(read({ redirect_uris, response_types: ['token', 'code'] }).response_types, [
    'code',
  ])
  for (const response_types of [['token'], ['code id_token'], []])
    assert.match(refusal({ redirect_uris, response_types }).message, /code/)
})

test('only the offered authentication methods are accepted', () => {
  const post = { redirect_uris, token_endpoint_auth_method: 'client_secret_post' }
  assert.equal(read(post).token_endpoint_auth_method, 'client_secret_post')
  for (const token_endpoint_auth_method of ['private_key_jwt', 'client_secret_jwt', '', 1])
    assert.match(refusal({ redirect_uris, token_endpoint_auth_method }).message, /one of: none/)
})

test('one to ten redirect URIs are required, and each must be valid', () => {
  for (const uris of [undefined, null, [], 'http://127.0.0.1/', {}]) {
    const { code, message } = refusal({ redirect_uris: uris })
    assert.equal(code, 'invalid_redirect_uri')
    assert.match(message, /at least one/)
  }
  const ten = Array.from({ length: 10 }, (_, i) => `https://example.com/${i}`)
  assert.equal(read({ redirect_uris: ten }).redirect_uris.length, 10)
  assert.match(
    refusal({ redirect_uris: [...ten, 'https://example.com/x'] }).message,
    /more than 10/,
  )
  const bad = refusal({ redirect_uris: ['https://example.com/', 'javascript:alert(1)'] })
  assert.equal(bad.code, 'invalid_redirect_uri')
  assert.match(bad.message, /^redirect_uris\[1\] uses the scheme javascript/)
  const twice = read({ redirect_uris: [...redirect_uris, ...redirect_uris] })
  assert.deepEqual(twice.redirect_uris, redirect_uris)
})

test('a field that is null is treated as absent', () => {
  const least = read({ redirect_uris })
  const nulls = {
    client_name: null,
    grant_types: null,
    response_types: null,
    token_endpoint_auth_method: null,
    application_type: null,
    client_uri: null,
    logo_uri: null,
    scope: null,
    contacts: null,
  }
  assert.deepEqual(read({ redirect_uris, ...nulls }), least)
  for (const field of Object.keys(nulls))
    assert.deepEqual(read({ redirect_uris, [field]: null }), least, field)
  assert.match(refusal({ redirect_uris: [null] }).message, /redirect_uris\[0\] is not a text/)
})

test('a body that is not an object is rejected', () => {
  for (const input of [null, [], 'x', 1, true, undefined])
    assert.match(refusal(input).message, /JSON object/)
})

test('a name loses invisible and bidirectional characters', () => {
  const folds: Record<string, string> = {
    'Claude Code': 'Claude Code',
    '  a\r\nb\tc  ': 'a b c',
    'Good\u202eevil\u202c': 'Goodevil',
    'zero\u200bwidth\u200d\ufeff': 'zerowidth',
    'tag\u{e0041}': 'tag',
    'nul\u0000\u001b[31m': 'nul[31m',
    '\u2028line\u2029': 'line',
    'Cafe\u0301': 'Café',
    '<b>&"\'': '<b>&"\'',
    'Ünïcode 名前 🤖': 'Ünïcode 名前 🤖',
    '\u200b': '',
  }
  for (const [name, folded] of Object.entries(folds)) assert.equal(normalizeName(name), folded)
  assert.equal(normalizeName(`a${'\u0300\u0301'.repeat(50)}`).length <= 5, true)
})

const character = fc.oneof(
  fc.constantFrom('a', ' ', '\u0301', '\u0300', '\u200d', '\u202e', '\u2028', '\n', 'e', '🤖'),
  fc.nat(0x10_ffff).map((point) => String.fromCodePoint(point)),
)

test('normalisation is idempotent, and leaves one line', () => {
  fc.assert(
    fc.property(fc.array(character), (characters) => {
      const folded = normalizeName(characters.join(''))
      assert.equal(normalizeName(folded), folded)
      assert.doesNotMatch(folded, /[\p{Cc}\p{Cf}\u2028\u2029]|^\s|\s$|\s\s/u)
    }),
    { numRuns: 1_000 },
  )
})

test('a name has at most 200 characters after normalisation; without one the field is left out', () => {
  const name = 'n'.repeat(maxNameLength)
  assert.equal(read({ redirect_uris, client_name: `${name}\u200b` }).client_name, name)
  assert.match(refusal({ redirect_uris, client_name: `${name}n` }).message, /longer than 200/)
  assert.match(refusal({ redirect_uris, client_name: 7 }).message, /must be a text/)
  assert.ok(!('client_name' in read({ redirect_uris, client_name: ' \u202e ' })))
})
