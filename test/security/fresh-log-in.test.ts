// Fresh authentication over HTTP (decision 48): an old session that somebody finds open gets no
// credential, and changes no way to log in.
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { operations } from '../../src/catalog.ts'
import { examples, send } from '../contract/support/examples.ts'
import { openFixture } from '../contract/support/fixture.ts'
import { assertProblem } from '../contract/support/problem.ts'
import { sharedService } from '../support/service.ts'
import { recentSessionOf, sessionOf } from '../support/sign-in.ts'

const registrar = await sharedService()
const owner = await openFixture(registrar)

type Refusal = '403 fresh_log_in_needed' | '403 password_needed'

/** These are refused in a session whose log-in is older than ten minutes. */
const needFreshLogIn: Readonly<Record<string, Refusal>> = {
  'POST /v1/customers/{customer_id}/api-keys': '403 fresh_log_in_needed',
  'PATCH /v1/customers/{customer_id}/api-keys/{api_key_id}': '403 fresh_log_in_needed',
  'POST /v1/customers/{customer_id}/api-keys/{api_key_id}/rotate': '403 fresh_log_in_needed',
  'PATCH /v1/account/oauth-grants/{id}': '403 fresh_log_in_needed',
  'POST /v1/dashboard/config/mcp-api-key/rotate': '403 fresh_log_in_needed',
  'POST /v1/account/passkeys/options': '403 fresh_log_in_needed',
  'POST /v1/account/passkeys': '403 fresh_log_in_needed',
  'DELETE /v1/account/passkeys/{id}': '403 fresh_log_in_needed',
  'POST /v1/account/identities': '403 fresh_log_in_needed',
  'DELETE /v1/account/identities/{id}': '403 fresh_log_in_needed',
  'GET /v1/domains/{domain}/transfer-auth-code': '403 fresh_log_in_needed',
  'POST /v1/domains/{domain}/transfer-auth-code/regenerate': '403 fresh_log_in_needed',
  'POST /v1/domains/{domain}/transfer/approve': '403 fresh_log_in_needed',
  'POST /v1/approvals/{id}/approve': '403 fresh_log_in_needed',
  'PATCH /v1/account/approval-settings': '403 fresh_log_in_needed',
  'POST /v1/domains/{domain}/unprotect': '403 fresh_log_in_needed',
  'POST /v1/webhooks': '403 fresh_log_in_needed',
  'PATCH /v1/webhooks/{id}': '403 fresh_log_in_needed',
  'POST /v1/webhooks/{id}/secret/rotate': '403 fresh_log_in_needed',
  'PATCH /v1/domains/{domain}': '403 fresh_log_in_needed',
  'POST /v1/domains/{domain}/tsig-keys': '403 fresh_log_in_needed',
  'DELETE /v1/domains/{domain}/tsig-keys/{tsig_key_id}': '403 fresh_log_in_needed',
  'POST /v1/domains/{domain}/unlock': '403 fresh_log_in_needed',
  'PATCH /v1/account/default-nameservers': '403 fresh_log_in_needed',
  'PATCH /v1/customers/{customer_id}/contacts/{contact_id}': '403 fresh_log_in_needed',
  'GET /v1/account/export': '403 fresh_log_in_needed',
  'POST /v1/account/close': '403 fresh_log_in_needed',
  'POST /v1/account/password': '403 password_needed',
  'PATCH /v1/account': '403 password_needed',
}

/** The same as the example of the contract, but without the password, or with another address. */
const bodies: Readonly<Record<string, Record<string, unknown>>> = {
  'POST /v1/account/password': { new_password: 'another horse, another battery' },
  'PATCH /v1/account': { email: 'another@example.net' },
  'PATCH /v1/customers/{customer_id}/contacts/{contact_id}': { city: 'Leiden' },
  'PATCH /v1/webhooks/{id}': { url: 'https://turned.registrar.example/events' },
}

/** Gives out a credential to a caller that proves who it is with this request. */
const proveThemselves: Readonly<Record<string, string>> = {
  'POST /v1/dashboard/login': 'the password',
  'POST /v1/dashboard/passkey/login': 'a passkey',
  'POST /v1/dashboard/register/verify': 'a mailed code or link',
  'GET /v1/dashboard/sso/{provider}/callback': 'the response of an identity provider',
  'POST /v1/dashboard/sso/exchange': 'the ticket of an identity provider',
}

const isCredential = /(^|_)(api_key|token|auth_code|ticket|secret|password)$/
/** The schema of an operation above, without the credential; or rules of passwords. */
const withoutCredential = [
  'GET /v1/dashboard/config',
  'GET /v1/dashboard/signup/config',
  // Whether there is a password.
  'GET /v1/customer-tool/customers/{customer_id}',
]

const listed = [
  ...Object.keys(needFreshLogIn),
  ...Object.keys(proveThemselves),
  ...withoutCredential,
]

/** The names of all properties in a schema, at any depth. */
function propertiesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties, ...rest }: { properties?: object } = schema
  const below = Object.values({ ...rest, ...properties }).flatMap(propertiesOf)
  return [...Object.keys(properties ?? {}), ...below]
}

test('every operation that returns a credential asks for a fresh log-in, or for a proof', () => {
  const returning = operations.filter(({ gives }) =>
    propertiesOf(gives).some((name) => isCredential.test(name)),
  )
  const unlisted = returning.map(({ at }) => at).filter((at) => !listed.includes(at))
  assert.deepEqual(unlisted, [])
})

/** This applies only if the domain is protected: test/contract/dns/protected-records.test.ts. */
const ofProtectedDomains = (at: string) =>
  /^\w+ \/v1\/domains\/\{domain\}\/(dns-record|records|changes|zonefile)\b/.test(at)

test('the operations that declare one of the refusals are those that are listed', () => {
  const declaring = operations.filter(({ fails }) =>
    fails.some(({ code }) => code === 'fresh_log_in_needed' || code === 'password_needed'),
  )
  const always = declaring.map(({ at }) => at).filter((at) => !ofProtectedDomains(at))
  assert.deepEqual(always.sort(), Object.keys(needFreshLogIn).sort())
})

for (const [at, refusal] of Object.entries(needFreshLogIn))
  describe(at, () => {
    const one = examples[at]
    const example = async () => {
      assert.ok(one)
      const { session: _, ...made } = await one.make(owner)
      const body = bodies[at] && { body: bodies[at] }
      if (!at.startsWith('PATCH') || !at.endsWith('{contact_id}')) return { ...made, ...body }
      // The address is that of a registrant.
      return { path: { customer_id: owner.id, contact_id: owner.contact_id ?? 0 }, ...body }
    }

    it('is refused in a session whose log-in was an hour ago', async () => {
      const token = await sessionOf(registrar, owner)
      assertProblem(await send(owner, at, { example: await example(), token }), refusal, at)
    })

    it('is not refused for that after a log-in', async () => {
      const token = await recentSessionOf(registrar, owner)
      const answer = await send(owner, at, { example: await example(), token })
      assert.notEqual(`${answer.status} ${answer.body?.code}`, refusal)
    })

    if (one?.access.includes(':') && refusal === '403 fresh_log_in_needed')
      it('is served for an API key with its scope, which has no log-in', async () => {
        const answer = await send(owner, at, { example: await example(), token: owner.key })
        assert.ok(answer.status < 300, answer.text)
      })
  })
