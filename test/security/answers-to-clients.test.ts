// Authorization responses at the redirect URI: they always have the client's state and the issuer
// (RFC 9207), are a 303, and come in the requested response mode.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newOwner } from '../support/owner.ts'
import { sharedService } from '../support/service.ts'
import { type Changes, newVerifier, openAttacker } from './client.ts'

const registrar = await sharedService()
const { authorizeUrl, codeOf, redeem, register, send } = openAttacker(registrar)
const owner = await newOwner(registrar)
const client = await register()
const { base_url } = registrar.service.settings

const errors: [Changes, string][] = [
  [{ response_type: 'token' }, 'unsupported_response_type'],
  [{ response_type: undefined }, 'invalid_request'],
  [{ code_challenge: undefined }, 'invalid_request'],
  [{ code_challenge_method: 'plain' }, 'invalid_request'],
  [{ resource: 'https://evil.example/mcp' }, 'invalid_target'],
  [{ prompt: 'none' }, 'login_required'],
  [{ request: 'e30.e30.' }, 'request_not_supported'],
  [{ request_uri: 'https://evil.example/request' }, 'request_uri_not_supported'],
  [{ registration: '{}' }, 'registration_not_supported'],
]
const states = [
  'plain',
  'a b+c&d=e#f%2500',
  '"><script>alert(1)</script>',
  'ключ 鍵 🔑',
  'x'.repeat(1_000),
]

describe('every authorization response', () => {
  test('has the client’s state and the issuer, for every error, and is a 303', async () => {
    for (const [i, [changes, error]] of errors.entries()) {
      const state = states[i % states.length] ?? ''
      const asked = authorizeUrl(client, newVerifier(), { ...changes, state })
      const { status, headers } = await send(asked.href)
      const location = headers.get('location') ?? ''
      assert.equal(status, 303, `${error} ${location}`)
      assert.ok(location.startsWith(client.redirect_uri), location)
      const response = new URL(location)
      // With the response type "token", the response is in the fragment (RFC 6749 section 4.2.2.1).
      const params = new URLSearchParams(response.search || response.hash.slice(1))
      assert.deepEqual(
        [params.get('error'), params.get('state'), params.get('iss'), params.get('code')],
        [error, state, base_url, null],
      )
    }
  })

  test('has no state if the request had none', async () => {
    const { answer } = await codeOf(owner, client, { changes: { state: undefined } })
    assert.deepEqual([...answer.searchParams.keys()].toSorted(), ['code', 'iss'])
  })

  test('returns each state unchanged with the code', async () => {
    for (const state of states) {
      const { answer } = await codeOf(owner, client, { changes: { state } })
      assert.deepEqual(answer.searchParams.getAll('state'), [state])
      assert.deepEqual(answer.searchParams.getAll('iss'), [base_url])
    }
  })

  test('is in the fragment for response_mode=fragment, complete', async () => {
    const verifier = newVerifier()
    const answer = await owner.decide(
      authorizeUrl(client, verifier, { response_mode: 'fragment', state: 's' }),
    )
    assert.equal(answer.search, '')
    const response = new URLSearchParams(answer.hash.slice(1))
    assert.deepEqual([response.get('state'), response.get('iss')], ['s', base_url])
    const code = { code: response.get('code') ?? '', verifier, client, answer }
    assert.equal((await redeem(code)).status, 200)
  })
})
