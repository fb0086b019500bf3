// Codes and refresh tokens that are stolen, expired or replayed: PKCE cannot be bypassed, a code
// can be used once, a refresh token has one successor, and a replay revokes the whole token family.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newOwner } from '../support/owner.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { sharedService } from '../support/service.ts'
import { challengeOf, newVerifier, openAttacker, tokensOf } from './client.ts'

const registrar = await sharedService()
const attacker = openAttacker(registrar)
const { authorizeUrl, codeOf, connect, form, redeem, refresh, register } = attacker
const owner = await newOwner(registrar)
const rows = rowsIn(registrar)
const call = attacker.call.bind(attacker)
const client = await register()

/** Nodes are notified of a revocation: usually at once, at most five seconds later. */
async function assertEnds(token: string): Promise<void> {
  const began = performance.now()
  while ((await call(token, 'get_account')).status !== 401) {
    assert.ok(performance.now() - began < 5_000, 'still valid after 5 s')
    await sleep(20)
  }
}

/** The error response to an authorization request, before the owner is prompted. */
async function registrationError(url: URL) {
  const arrived = await attacker.browser().open(url)
  assert.ok('away' in arrived, 'the client gets an error response')
  assert.equal(arrived.away.searchParams.get('code'), null)
  return arrived.away.searchParams
}

describe('PKCE', () => {
  test('is required of every client, and accepts only S256', async () => {
    const verifier = newVerifier()
    const lacking = await registrationError(
      authorizeUrl(client, verifier, {
        code_challenge: undefined,
        code_challenge_method: undefined,
      }),
    )
    assert.equal(lacking.get('error'), 'invalid_request')
    for (const code_challenge_method of ['plain', 's256', 'S512']) {
      const changes = { code_challenge: verifier, code_challenge_method }
      const refused = await registrationError(authorizeUrl(client, verifier, changes))
      assert.equal(refused.get('error'), 'invalid_request', code_challenge_method)
    }
    // RFC 7636 section 4.3 would take it for plain.
    const unnamed = { code_challenge: verifier, code_challenge_method: undefined }
    const refused = await registrationError(authorizeUrl(client, verifier, unnamed))
    assert.equal(refused.get('error'), 'invalid_request')
  })

  test('rejects malformed challenges', async () => {
    for (const code_challenge of ['', 'a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(42)}+`]) {
      const refused = await registrationError(
        authorizeUrl(client, newVerifier(), { code_challenge }),
      )
      assert.equal(refused.get('error'), 'invalid_request', code_challenge)
    }
  })

  test('rejects a redemption without the verifier', async () => {
    const code = await codeOf(owner, client)
    const wrong = [undefined, '', newVerifier(), challengeOf(code.verifier), `${code.verifier}a`]
    for (const code_verifier of wrong) {
      const refused = await redeem(await codeOf(owner, client), { code_verifier })
      assert.equal(refused.status, 400, `${code_verifier}`)
      assert.ok(['invalid_grant', 'invalid_request'].includes(refused.body.error), refused.text)
    }
    assert.equal((await redeem(code)).status, 200)
  })

  test('rejects a verifier if there was no challenge', async () => {
    const code = await codeOf(owner, client)
    const stripped = await rows(
      `update oauth_models set payload = payload - 'codeChallenge' - 'codeChallengeMethod'
        where model = 'AuthorizationCode' and id_hash = sha256(convert_to($1, 'UTF8'))
        returning payload`,
      [code.code],
    )
    assert.equal(stripped.length, 1)
    const refused = await redeem(code)
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'])
  })

  test('accepts only verifiers of 43 to 128 characters', async () => {
    for (const [length, status] of [
      [42, 400],
      [43, 200],
      [128, 200],
      [129, 400],
    ] satisfies [number, number][]) {
      const verifier = 'v'.repeat(length)
      const url = authorizeUrl(client, verifier)
      const answer = await owner.decide(url)
      const code = answer.searchParams.get('code') ?? ''
      const redeemed = await redeem({ code, verifier, client, answer })
      assert.equal(redeemed.status, status, `${length}`)
    }
  })
})

describe('a code', () => {
  test('can be redeemed once: a replay revokes the tokens of the first redemption', async () => {
    const code = await codeOf(owner, client)
    const first = await redeem(code)
    assert.equal(first.status, 200, first.text)
    const { access_token, refresh_token } = tokensOf(first)
    assert.equal((await call(access_token, 'get_account')).status, 200)
    const second = await redeem(code)
    assert.deepEqual([second.status, second.body.error], [400, 'invalid_grant'])
    await assertEnds(access_token)
    assert.equal((await refresh(client, refresh_token)).status, 400)
  })

  test('has one successor, also for twenty concurrent requests', async () => {
    const code = await codeOf(owner, client)
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(code)))
    const statuses = answers.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [200, ...Array(19).fill(400)])
  })

  test('is valid only for its client, redirect URI and resource', async () => {
    const other = await register()
    const second = 'http://127.0.0.1:43119/second'
    const two = await register({ redirect_uris: [client.redirect_uri, second] })
    const cases = [
      [client, { client_id: other.client_id }],
      [two, { redirect_uri: second }],
      [client, { redirect_uri: client.redirect_uri.replace('43119', '43120') }],
      [client, { resource: registrar.service.settings.base_url }],
    ] as const
    for (const [of, changes] of cases) {
      const code = await codeOf(owner, of)
      const refused = await redeem(code, changes)
      const words = `${JSON.stringify(changes)}: ${refused.text}`
      assert.equal(refused.status, 400, words)
      assert.ok(['invalid_grant', 'invalid_request', 'invalid_target'].includes(refused.body.error))
      assert.equal(refused.body.access_token, undefined)
    }
  })

  test('expires after a minute', async () => {
    const code = await codeOf(owner, client)
    const aged = await rows(
      `update oauth_models set expires_at = expires_at - interval '60 seconds'
        where model = 'AuthorizationCode' and consumed_at is null returning 1 as one`,
    )
    assert.ok(aged.length > 0)
    const late = await redeem(code)
    assert.deepEqual([late.status, late.body.error], [400, 'invalid_grant'])
  })
})

describe('a refresh token', () => {
  test('is rotated when it is used; a replay of the old one revokes the family', async () => {
    const { client, tokens } = await connect(owner)
    const next = await refresh(client, tokens.refresh_token)
    assert.equal(next.status, 200, next.text)
    const fresh = tokensOf(next)
    assert.notEqual(fresh.refresh_token, tokens.refresh_token)
    assert.equal((await call(fresh.access_token, 'get_account')).status, 200)
    const last = tokensOf(await refresh(client, fresh.refresh_token))
    const stolen = await refresh(client, tokens.refresh_token)
    assert.deepEqual([stolen.status, stolen.body.error], [400, 'invalid_grant'])
    assert.equal((await refresh(client, last.refresh_token)).status, 400)
    await assertEnds(last.access_token)
    await assertEnds(fresh.access_token)
    await assertEnds(tokens.access_token)
  })

  test('has one successor, also for twenty concurrent requests', async () => {
    const { client, tokens } = await connect(owner)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refresh(client, tokens.refresh_token)),
    )
    assert.equal(new Set(answers.map((one) => tokensOf(one).refresh_token)).size, 1)
  })

  test('is valid only for its client, and cannot widen the scope', async () => {
    const { client, tokens } = await connect(owner, { choice: { scopes: ['account:read'] } })
    const other = await register()
    const stolen = await refresh(other, tokens.refresh_token)
    assert.deepEqual([stolen.status, stolen.body.error], [400, 'invalid_grant'])
    const wider = await refresh(client, tokens.refresh_token, {
      scope: 'account:read domains:purchase',
    })
    if (wider.status === 200) assert.equal(tokensOf(wider).scope, 'account:read')
    else assert.equal(wider.body.error, 'invalid_scope')
  })

  test('expires with its consent, a year after it was given', async () => {
    const { client, tokens } = await connect(owner)
    const aged = await rows(
      `update oauth_models set expires_at = clock_timestamp()
        where model = 'Grant' and client_id = $1 returning 1 as one`,
      [client.client_id],
    )
    assert.equal(aged.length, 1)
    const late = await refresh(client, tokens.refresh_token)
    assert.deepEqual([late.status, late.body.error], [400, 'invalid_grant'])
  })

  test('is valid for no other resource than the consented ones', async () => {
    const { client, tokens } = await connect(owner)
    const elsewhere = await refresh(client, tokens.refresh_token, {
      resource: registrar.service.settings.base_url,
    })
    assert.deepEqual([elsewhere.status, elsewhere.body.error], [400, 'invalid_target'])
  })
})

describe('unsupported grants', () => {
  test('implicit and hybrid requests issue nothing', async () => {
    for (const response_type of ['token', 'id_token', 'id_token token', 'code token', 'none']) {
      const asked = authorizeUrl(client, newVerifier(), { response_type, nonce: 'n' })
      const refused = await attacker.send(asked.href)
      const answered = `${refused.headers.get('location')}${refused.text}`
      assert.match(answered, /unsupported_response_type/, response_type)
      assert.doesNotMatch(answered, /access_token|id_token=|code=/)
    }
  })

  test('password and client credentials grants issue no token', async () => {
    for (const fields of [
      { grant_type: 'password', username: owner.email, password: owner.password },
      { grant_type: 'client_credentials', scope: 'account:read' },
      { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x' },
      { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'a.b.c' },
      { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', subject_token: owner.key },
      {},
    ]) {
      const refused = await form('/oauth/token', { client_id: client.client_id, ...fields })
      assert.equal(refused.status, 400, JSON.stringify(fields))
      assert.equal(refused.body.access_token, undefined)
    }
  })
})

describe('the authorization response', () => {
  test('has the state and the issuer, with consent and without', async () => {
    const given = (await codeOf(owner, client)).answer.searchParams
    const denied = await owner.decide(authorizeUrl(client, newVerifier()), { decision: 'deny' })
    const wrong = await registrationError(
      authorizeUrl(client, newVerifier(), { code_challenge: 'short' }),
    )
    for (const params of [given, denied.searchParams, wrong]) {
      assert.equal(params.get('state'), 'of the client')
      assert.equal(params.get('iss'), registrar.service.settings.base_url)
    }
    assert.equal(denied.searchParams.get('error'), 'access_denied')
    assert.equal(denied.searchParams.get('code'), null)
  })

  test('is never a URL of ours with a token in it', async () => {
    const { answer } = await codeOf(owner, client)
    assert.equal(answer.hash, '')
    assert.deepEqual([...answer.searchParams.keys()].toSorted(), ['code', 'iss', 'state'])
  })
})
