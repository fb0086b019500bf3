// Fuzzing of the authorization server's parameters with text that databases, decoders and parsers
// cannot hold: never a 5xx.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from '../../support/service.ts'
import { encoded, octets, texts } from './hostile-texts.ts'

const registrar = await sharedService({ worker: false })
const metadata = (await registrar.request('GET', '/.well-known/openid-configuration')).body
const registered = await registrar.request('POST', '/oauth/register', {
  body: { redirect_uris: ['http://127.0.0.1:1/cb'], token_endpoint_auth_method: 'none' },
})

const form = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${registrar.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
    redirect: 'manual',
  })
const asked = {
  token: [
    'grant_type',
    'code',
    'client_id',
    'client_secret',
    'redirect_uri',
    'code_verifier',
    'refresh_token',
    'resource',
    'scope',
  ],
  revoke: ['token', 'token_type_hint', 'client_id', 'client_secret'],
  introspect: ['token', 'token_type_hint', 'client_id', 'client_secret'],
  authorize: [
    'client_id',
    'redirect_uri',
    'response_type',
    'response_mode',
    'scope',
    'state',
    'nonce',
    'resource',
    'code_challenge',
    'code_challenge_method',
    'prompt',
    'max_age',
    'login_hint',
    'id_token_hint',
    'claims',
    'interaction',
  ],
}
const at = (name: string) => new URL(metadata[`${name}_endpoint`]).pathname
const { client_id } = registered.body
const usual: Record<string, Record<string, string>> = {
  [at('token')]: { grant_type: 'authorization_code', client_id, code: 'c', code_verifier: 'v' },
  [at('revocation')]: { token: 't', client_id },
  [at('introspection')]: { token: 't', client_id },
  [at('authorization')]: {
    client_id,
    response_type: 'code',
    redirect_uri: 'http://127.0.0.1:1/cb',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
    scope: 'domains:read',
  },
}
const fields: [string, string[]][] = [
  [at('token'), asked.token],
  [at('revocation'), asked.revoke],
  [at('introspection'), asked.introspect],
  [at('authorization'), asked.authorize],
]
const paramsOf = (base: Record<string, string> = {}, field: string, value: string) =>
  [
    ...Object.entries(base)
      .filter(([name]) => name !== field)
      .map(([name, text]) => `${name}=${encodeURIComponent(text)}`),
    `${field}=${value}`,
  ].join('&')

for (const [path, names] of fields)
  test(`${path} refuses each parameter in the words of OAuth`, async () => {
    for (const name of names)
      for (const [what, value] of Object.entries(encoded)) {
        const params = paramsOf(usual[path], name, value)
        const answers = [await form(path, params)]
        if (path === at('authorization'))
          answers.push(await fetch(`${registrar.url}${path}?${params}`, { redirect: 'manual' }))
        for (const { status } of answers) assert.ok(status < 500, `${name} ${what}: ${status}`)
      }
    for (const body of ['\u0000', 'grant_type=%00', '=&=&%', `a=${'%00'.repeat(3_000)}`])
      assert.ok((await form(path, body)).status < 500)
  })

test('credentials in the Authorization header are no failure either', async () => {
  for (const path of [at('token'), at('revocation'), at('introspection')])
    for (const text of [':', '\u0000:\u0000', '%00:%00', '%zz:%zz', '%ED%A0%80:x', '\xff:\xfe'])
      for (const basic of [Buffer.from(text).toString('base64'), text.replaceAll('\u0000', '')]) {
        const answer = await form(path, 'grant_type=authorization_code&code=c', {
          authorization: `Basic ${basic}`,
        })
        assert.ok(answer.status < 500, `${path} ${JSON.stringify(text)}: ${answer.status}`)
      }
})

test('registration and the pages take any text', async () => {
  const names = ['client_name', 'client_uri', 'logo_uri', 'scope', 'software_id', 'contacts']
  for (const [what, text] of Object.entries(texts))
    for (const name of [...names, 'redirect_uris', 'grant_types', 'jwks_uri', text])
      for (const given of [text, [text], { [text]: text }]) {
        const body = { redirect_uris: ['http://127.0.0.1:1/cb'], [name]: given }
        const answer = await registrar.request('POST', '/oauth/register', { body })
        assert.ok(answer.status < 500, `${name} ${what}: ${answer.text}`)
      }
  for (const path of ['/oauth/authorize/', '/oauth/register/', '/docs/', '/password?token='])
    for (const [what, value] of Object.entries(encoded)) {
      const { status } = await fetch(`${registrar.url}${path}${value}`, { redirect: 'manual' })
      assert.ok(status < 500, `${path} ${what}: ${status}`)
    }
  for (const path of ['/oauth/userinfo', '/oauth/userinfo?access_token=%00'])
    for (const value of Object.values(octets)) {
      const headers = { authorization: `Bearer ${value}` }
      assert.ok((await fetch(`${registrar.url}${path}`, { headers })).status < 500)
    }
})
