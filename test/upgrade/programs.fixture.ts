// An owner who lets an application in, has a browser notified, and whose agent pays by x402.
import assert from 'node:assert/strict'
import * as oauth from 'openid-client'
import { startPushService } from '../../sandbox/push/index.ts'
import { scopes } from '../../src/app.ts'
import { callback } from '../journeys/connect.ts'
import { paymentFor } from '../support/chain/x402-client.ts'
import { type X402Place, x402Path } from '../support/chain/x402-service.ts'
import { newOwner, type Owner } from '../support/owner.ts'
import type { TestService } from '../support/service.ts'
import { recentSessionOf } from '../support/sign-in.ts'

async function connect({ url }: TestService, owner: Owner): Promise<void> {
  const config = await oauth.dynamicClientRegistration(
    new URL(url),
    {
      client_name: 'A recorded client',
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    oauth.None(),
    { algorithm: 'oauth2', execute: [oauth.allowInsecureRequests] },
  )
  const pkceCodeVerifier = oauth.randomPKCECodeVerifier()
  const expectedState = oauth.randomState()
  const asked = oauth.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    resource: url,
    state: expectedState,
    code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const checks = { pkceCodeVerifier, expectedState }
  const answered = await owner.decide(asked)
  const tokens = await oauth.authorizationCodeGrant(config, answered, checks, { resource: url })
  assert.ok(tokens.refresh_token)
}

async function payByX402(registrar: TestService, owner: Owner, { payer }: X402Place) {
  const path = x402Path(owner.id)
  const body = { amount_cents: 2_500, currency: 'USD' }
  const asked = await registrar.request('POST', path, { token: owner.key, body })
  const payment = await paymentFor(asked.headers.get('payment-required') ?? '', payer)
  const headers = { 'payment-signature': payment }
  const paid = await registrar.request('POST', path, { token: owner.key, body, headers })
  assert.ok([200, 202].includes(paid.status), paid.text)
}

async function notifyABrowser(registrar: TestService, owner: Owner): Promise<void> {
  const push = await startPushService()
  registrar.closers.push(push.close)
  const browser = await push.subscribe(registrar.service.app.webPush?.public_key ?? '')
  const made = await registrar.request('POST', '/v1/account/push-subscriptions', {
    token: await recentSessionOf(registrar, owner),
    body: browser.subscription,
  })
  assert.equal(made.status, 201, made.text)
}

/** Returns the owner's key. */
export async function usePrograms(registrar: TestService, place: X402Place): Promise<string> {
  const owner = await newOwner(registrar, { scopes: [...scopes] })
  await connect(registrar, owner)
  await payByX402(registrar, owner, place)
  await notifyABrowser(registrar, owner)
  return owner.key
}
