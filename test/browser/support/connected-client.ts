// An OAuth client that an owner has connected, with an access token for the REST API.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { Owner } from '../../support/owner.ts'
import type { TestService } from '../../support/service.ts'

const redirect_uri = 'http://127.0.0.1:43118/callback'

export async function connectedClient(registrar: TestService, owner: Owner, client_name: string) {
  const { base_url } = registrar.service.settings
  const body = { client_name, redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' }
  const registered = await registrar.request('POST', '/oauth/register', { body })
  assert.equal(registered.status, 201, registered.text)
  const { client_id } = registered.body
  const code_verifier = randomBytes(32).toString('base64url')
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  const asked = new URLSearchParams({
    ...{ client_id, redirect_uri, resource: base_url },
    response_type: 'code',
    scope: 'domains:read billing:read',
    code_challenge,
    code_challenge_method: 'S256',
  })
  const answer = await owner.decide(`${registrar.url}/oauth/authorize?${asked}`)
  const code = answer.searchParams.get('code')
  assert.ok(code, answer.href)
  const response = await fetch(`${registrar.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ client_id, redirect_uri, code, code_verifier, resource: base_url },
      grant_type: 'authorization_code',
    }),
  })
  const { access_token } = Object(await response.json())
  assert.equal(response.status, 200)
  return { token: String(access_token) }
}
