// Restores through a whole service: paid once, at the price of a restore, and the report follows.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService, type TestCustomer } from '../../../../../test/support/service.ts'
import { attempt, open, profileOf } from '../../../../adapters/registry/fixtures/sandbox.ts'

const registrar = await startService()
const day = 86_400_000
/** Another session of ours, by which the names get deleted. */
const back = {
  com: open(profileOf(registrar.sandbox, 'thin')),
  test: open(profileOf(registrar.sandbox, 'thick')),
}
after(() => Promise.all(Object.values(back).map((registry) => registry.close())))

const redeemed: Record<string, TestCustomer> = {}
for (const name of ['well', 'silent', 'twice', 'poor']) {
  const tld = name === 'silent' ? 'test' : 'com'
  const domain = `${name}.${tld}`
  const buyer = await registrar.customer({ funds_cents: name === 'poor' ? 2_000 : 8_000 })
  const made = await registrar.request('POST', '/v1/domains', {
    token: buyer.key,
    body: { domain },
  })
  assert.equal(made.status, 200, made.text)
  redeemed[domain] = buyer
}
await registrar.request('POST', '/v1/sandbox/clock', {
  token: registrar.operatorKey,
  body: { advance_ms: 20 * day },
})
for (const domain of Object.keys(redeemed)) {
  const registry = domain.endsWith('.com') ? back.com : back.test
  assert.equal((await registry.delete(domain, attempt())).kind, 'accepted')
}
// Past the minute for which a reading, the sync's too, counts as fresh.
await registrar.advance('PT2M')

const buyerOf = (domain: string): TestCustomer => redeemed[domain] ?? assert.fail(domain)
const restore = (domain: string, body: object = {}) =>
  registrar.request('POST', `/v1/domains/${domain}/restore`, { token: buyerOf(domain).key, body })
const read = (domain: string) =>
  registrar.request('GET', `/v1/domains/${domain}`, { token: buyerOf(domain).key })
const paid = (domain: string) =>
  registrar.sandbox.effects().filter((one) => one.domain === domain && one.kind === 'restore')
    .length

async function balance(domain: string): Promise<string> {
  const { id, key } = buyerOf(domain)
  const path = `/v1/customers/${id}/billing/balance`
  const { body } = await registrar.request('GET', path, { token: key })
  return `${body.available} ${body.held}`
}

test('a domain in redemption comes back for the price of a restore', async () => {
  const domain = 'well.com'
  const before = await read(domain)
  assert.equal(before.body.status, 'redemption', before.text)
  assert.equal(before.body.next_actions[0].type, 'restore')
  const renew = await registrar.request('POST', `/v1/domains/${domain}/renew`, {
    token: buyerOf(domain).key,
    body: {},
  })
  assert.equal(renew.body.code, 'not_renewable', renew.text)
  const dry = await restore(domain, { dry_run: true })
  assert.equal(dry.body.price.amount, '44.30', dry.text)
  assert.equal(paid(domain), 0)
  const done = await restore(domain, { max_price: '44.30' })
  assert.equal(done.status, 200, done.text)
  assert.equal(done.body.status, 'active')
  assert.equal(done.body.operation.type, 'restore')
  assert.equal(done.body.expiry, registrar.sandbox.lookup(domain)?.expires_at)
  assert.equal(paid(domain), 1)
  assert.equal(await balance(domain), '24.85 0.00')
  assert.equal((await restore(domain)).body.code, 'not_in_redemption')
})

test('the answer to the request is lost: sent again, refused, read back, reported, paid once', async () => {
  const domain = 'silent.test'
  registrar.sandbox.setFault({ name: 'drop_after', command: 'domain:update', domain, times: 1 })
  const first = await restore(domain)
  assert.equal(first.body.operation.state, 'unknown', first.text)
  const end = Date.now() + 40_000
  let now = first
  while (now.body.operation.state === 'unknown' && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 150))
    now = await read(domain)
  }
  assert.equal(now.body.operation.state, 'succeeded', now.text)
  assert.equal(now.body.status, 'active')
  assert.equal(paid(domain), 1)
})

test('ten restores at once: one is paid', async () => {
  const domain = 'twice.com'
  const answers = await Promise.all(Array.from({ length: 10 }, () => restore(domain)))
  for (const answer of answers)
    assert.ok(
      [200].includes(answer.status) || answer.body.code === 'not_in_redemption',
      answer.text,
    )
  assert.equal(paid(domain), 1)
  assert.equal(await balance(domain), '24.85 0.00')
})

test('an empty balance and a low max_price send nothing', async () => {
  const domain = 'poor.com'
  assert.equal((await restore(domain)).status, 402)
  assert.equal((await restore(domain, { max_price: '5.00' })).body.code, 'price_changed')
  assert.equal(paid(domain), 0)
})
