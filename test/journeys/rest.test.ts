// An agent with only a URL and a key buys a domain over REST by the SDK, and the registry has it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRegistrarClient, paginate } from '../../sdk/index.ts'
import { sharedService } from '../support/service.ts'

const registrar = await sharedService()

test('an agent asks for the prices of 200 names, buys one and reads it back', async () => {
  const customer = await registrar.customer({ funds_cents: 5_000 })
  const agent = createRegistrarClient({ baseUrl: registrar.url, apiKey: customer.key })
  const names = Array.from({ length: 200 }, (_, i) => `agent-names-${i}.com`)
  const checked = await agent.checkDomainAvailability({ body: { domains: names } })
  assert.deepEqual(
    checked.domains.map(({ domain }) => domain),
    names,
  )
  const offer = checked.domains[7]
  assert.ok(offer?.price)
  assert.equal(offer.available, true)
  const purchase = {
    body: { domain: offer.domain, max_price: offer.price.amount },
    headers: { 'Idempotency-Key': 'journey-1' },
  }
  const bought = await agent.registerDomain(purchase)
  assert.equal(bought.status, 'active')
  assert.equal(bought.operation?.state, 'succeeded')
  assert.deepEqual(await agent.registerDomain(purchase), bought, 'the key repeats the answer')
  const read = await agent.getDomain({ path: { domain: offer.domain } })
  assert.equal(read.status, 'active')
  assert.equal(read.expiry, bought.expiry)
  assert.ok(read.epp_statuses.length > 0, 'the registry was asked')
  const held = registrar.sandbox.lookup(offer.domain)
  assert.equal(held?.sponsor, 'registrar-a')
  const balance = await agent.getBalance({ path: { customer_id: customer.id } })
  const paid = Math.round(Number(offer.price.amount) * 100)
  assert.equal(balance.available, ((5_000 - paid) / 100).toFixed(2))
  assert.equal(balance.held, '0.00')
  const listed: string[] = []
  for await (const { domain } of paginate(agent.listDomains)) listed.push(domain)
  assert.deepEqual(listed, [offer.domain])
})
