// Client secrets: returned once, stored as a hash, required at the token endpoint.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from '../../../test/support/service.ts'
import { ownerOf } from '../flow.fixture.ts'

const registrar = await sharedService({ worker: false })
const query = ownerOf(registrar)

async function registered(token_endpoint_auth_method: string): Promise<Record<string, string>> {
  const body = { redirect_uris: ['https://client.example/cb'], token_endpoint_auth_method }
  const answer = await registrar.request('POST', '/oauth/register', { body })
  assert.equal(answer.status, 201, answer.text)
  assert.equal(answer.body.token_endpoint_auth_method, token_endpoint_auth_method)
  return answer.body
}

/**
 * The token endpoint's response to an unknown code: an authenticated client gets invalid_grant.
 */
async function tokenResult(fields: Record<string, string>, basic?: string): Promise<string> {
  const response = await fetch(`${registrar.url}/oauth/token`, {
    method: 'POST',
    headers: basic === undefined ? {} : { authorization: `Basic ${btoa(basic)}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: 'x'.repeat(43),
      redirect_uri: 'https://client.example/cb',
      code_verifier: 'v'.repeat(43),
      ...fields,
    }),
  })
  const { error }: { error?: string } = Object(await response.json())
  return `${response.status} ${error}`
}

test('the secret is in the response, and only its hash is in the database', async () => {
  const { client_secret = '', client_secret_expires_at } = await registered('client_secret_post')
  assert.match(client_secret, /^[0-9A-Za-z]{43}$/)
  assert.equal(client_secret_expires_at, 0)
  const found = await query('select from oauth_models where payload::text like $1', [
    `%${client_secret}%`,
  ])
  assert.equal(found.length, 0)
})

test('client_secret_post requires the correct secret', async () => {
  const { client_id = '', client_secret = '' } = await registered('client_secret_post')
  assert.equal(await tokenResult({ client_id, client_secret }), '400 invalid_grant')
  assert.equal(
    await tokenResult({ client_id, client_secret: `${client_secret}x` }),
    '401 invalid_client',
  )
  assert.equal(await tokenResult({ client_id, client_secret: '' }), '401 invalid_client')
  assert.equal(await tokenResult({ client_id }), '401 invalid_client')
  assert.equal(await tokenResult({}, `${client_id}:${client_secret}x`), '401 invalid_client')
})

test('client_secret_basic requires the correct secret', async () => {
  const { client_id = '', client_secret = '' } = await registered('client_secret_basic')
  assert.equal(await tokenResult({}, `${client_id}:${client_secret}`), '400 invalid_grant')
  assert.equal(await tokenResult({}, `${client_id}:wrong`), '401 invalid_client')
  assert.equal(await tokenResult({ client_id }), '401 invalid_client')
})

test('the stored hash is not accepted as the secret', async () => {
  const { client_id = '' } = await registered('client_secret_post')
  const [row] = await query(
    "select payload ->> 'client_secret' as kept from oauth_models where client_id = $1",
    [client_id],
  )
  assert.match(String(row?.kept), /^[0-9a-f]{64}$/)
  assert.equal(
    await tokenResult({ client_id, client_secret: String(row?.kept) }),
    '401 invalid_client',
  )
})

test('a public client has no secret, and one that it sends changes nothing', async () => {
  const { client_id = '', ...rest } = await registered('none')
  assert.ok(!('client_secret' in rest) && !('client_secret_expires_at' in rest))
  assert.equal(await tokenResult({ client_id }), '400 invalid_grant')
  assert.equal(await tokenResult({ client_id, client_secret: 'undefined' }), '401 invalid_client')
})
