// An agent with only a URL and a key buys a domain over REST, and the registry has it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from '../support/service.ts'

const registrar = await sharedService()

test('an agent asks for the prices of 200 names, buys one and reads it back', async () => {
  const customer = await registrar.customer({ funds_cents: 5_000 })
  const token = customer.key
  const account = await registrar.request('GET', '/v1/account', { token })
  assert.equal(account.status, 200)
  const names = Array.from({ length: 200 }, (_, i) => `agent-names-${i}.com`)
  const checked = await registrar.request('POST', '/v1/domains/check', {
    token,
    body: { domains: names },
  })
  assert.equal(checked.status, 200)
  assert.deepEqual(
    checked.body.domains.map((one: { domain: string }) => one.domain),
    names,
  )
  const offer = checked.body.domains[7]
  assert.equal(offer.available, true)
  const bought = await registrar.request('POST', '/v1/domains', {
    token,
    body: { domain: offer.domain, max_price: offer.price.amount },
    headers: { 'idempotency-key': 'journey-1' },
  })
  assert.equal(bought.status, 200, bought.text)
  assert.equal(bought.body.status, 'active')
  assert.equal(bought.body.operation.state, 'succeeded')
  const again = await registrar.request('POST', '/v1/domains', {
    token,
    body: { domain: offer.domain, max_price: offer.price.amount },
    headers: { 'idempotency-key': 'journey-1' },
  })
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.body, bought.body)
  const read = await registrar.request('GET', `/v1/domains/${offer.domain}`, { token })
  assert.equal(read.body.status, 'active')
  assert.equal(read.body.expiry, bought.body.expiry)
  assert.ok(read.body.epp_statuses.length > 0, 'the registry was asked')
  const held = registrar.sandbox.lookup(offer.domain)
  assert.equal(held?.sponsor, 'registrar-a')
  const balance = await registrar.request('GET', `/v1/customers/${customer.id}/billing/balance`, {
    token,
  })
  const paid = Math.round(Number(offer.price.amount) * 100)
  assert.equal(balance.body.available, ((5_000 - paid) / 100).toFixed(2))
  assert.equal(balance.body.held, '0.00')
  const listed = await registrar.request('GET', '/v1/domains', { token })
  assert.deepEqual(
    listed.body.domains.map((one: { domain: string }) => one.domain),
    [offer.domain],
  )
})
