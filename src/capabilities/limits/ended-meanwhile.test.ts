// A key that is revoked, or narrowed, while its purchase waits for the registry: nothing is held.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sharedMovedService } from '../../../test/support/service.ts'
import { recentSessionOf } from '../../../test/support/sign-in.ts'

const registrar = await sharedMovedService()
const scopes = ['account:read', 'billing:read', 'domains:read', 'domains:purchase', 'keys:write']

const changes = {
  revoked: { verb: 'POST', at: '/revoke', body: {}, code: '401 invalid_token' },
  narrowed: {
    verb: 'PATCH',
    at: '',
    body: { allowed_tlds: ['net'] },
    code: '403 domain_not_allowed',
  },
} as const

for (const [what, { verb, at, body, code }] of Object.entries(changes))
  test(`a purchase that its key began before it was ${what} is refused, and holds nothing`, async () => {
    const owner = await registrar.customer({ funds_cents: 5_000, scopes })
    const session = await recentSessionOf(registrar, owner)
    const keys = `/v1/customers/${owner.id}/api-keys`
    const made = await registrar.request('POST', keys, { token: owner.key, body: { scopes } })
    const domain = `meanwhile-${what}-${process.pid}.com`
    const { sandbox } = registrar
    sandbox.setFault({ name: 'slow', command: 'domain:check', domain, delay_ms: 60_000 })
    const bought = registrar.request('POST', '/v1/domains', {
      token: String(made.body.api_key),
      body: { domain },
    })
    // The registry has its question, whose answer comes once the key is changed.
    while (sandbox.faults().length > 0) await sleep(5)
    const path = `${keys}/${made.body.key.id}${at}`
    const changed = await registrar.request(verb, path, { token: session, body })
    assert.equal(changed.status, 200, changed.text)
    sandbox.releaseDelayed()
    const refused = await bought
    assert.equal(`${refused.status} ${refused.body.code}`, code, refused.text)
    const balance = `/v1/customers/${owner.id}/billing/balance`
    const { body: left } = await registrar.request('GET', balance, { token: owner.key })
    assert.deepEqual([left.available, left.held], ['50.00', '0.00'])
    assert.equal(sandbox.lookup(domain), null)
  })
