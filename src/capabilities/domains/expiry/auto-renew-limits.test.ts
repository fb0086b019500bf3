// Automatic renewal that a key turned on: only where it may buy, on its budget, and no longer than
// it lives; the owner's draws on no budget.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, type TestCustomer } from '../../../../test/support/service.ts'
import { recentSessionOf, sessionOf } from '../../../../test/support/sign-in.ts'
import { lifecycleService } from '../holdings/lifecycle.fixture.ts'
import { autoRenew } from './auto-renew.job.ts'

const registrar = await lifecycleService(await startService({ worker: false }))
const scopes = ['account:read', 'domains:read', 'domains:write', 'domains:purchase', 'keys:write']

async function keyOf(owner: TestCustomer, limits: object, token = owner.key) {
  const { body, text, status } = await registrar.request(
    'POST',
    `/v1/customers/${owner.id}/api-keys`,
    { token, body: { scopes, ...limits } },
  )
  assert.equal(status, 201, text)
  return { token: String(body.api_key), id: Number(body.key.id) }
}
const turnOn = (token: string, domain: string, body: object = { auto_renew: true }) =>
  registrar.request('PATCH', `/v1/domains/${domain}`, { token, body })
const spentOf = async (token: string) =>
  (await registrar.request('GET', '/v1/account/limits', { token })).body.limits[0].spend_limit.spent
const newOwner = () => registrar.customer({ funds_cents: 10_000, scopes })
const cap = (amount: string) => ({ spend_limit: { amount, window: 'total' } })

test('a key needs domains:purchase, and limits that cover the price of the next year', async () => {
  const owner = await newOwner()
  const domain = await registrar.buys(owner, 'auto-needs.com')
  const { token: writer } = await keyOf(owner, { scopes: ['domains:read', 'domains:write'] })
  const lacking = await turnOn(writer, domain)
  assert.deepEqual(
    [lacking.status, lacking.body.code, lacking.body.required_scope],
    [403, 'insufficient_scope', 'domains:purchase'],
  )
  assert.equal((await turnOn(writer, domain, { auto_renew: false })).status, 200)
  for (const [limits, code] of [
    [cap('10.84'), 'spend_limit_exceeded'],
    [{ max_price: { amount: '10.84' } }, 'price_above_limit'],
    [{ max_price: { amount: '99.00', currency: 'EUR' } }, 'currency_not_allowed'],
    [{ allowed_tlds: ['net'] }, 'domain_not_allowed'],
  ] as const) {
    const { token } = await keyOf(owner, limits)
    const refused = await turnOn(token, domain)
    assert.deepEqual([refused.status, refused.body.code], [403, code])
  }
  assert.equal((await registrar.read(owner, domain)).body.auto_renew, false)
  const { token } = await keyOf(owner, cap('10.85'))
  assert.equal((await turnOn(token, domain)).body.auto_renew, true)
  assert.equal(await spentOf(token), '0.00')
})

test('the renewal counts for the key that turned it on, until the owner takes it over', async () => {
  const owner = await newOwner()
  const [own, taken] = [
    await registrar.buys(owner, 'auto-own.com'),
    await registrar.buys(owner, 'auto-taken.com'),
  ]
  const key = await keyOf(owner, cap('30.00'))
  const later = await keyOf(owner, cap('30.00'))
  for (const domain of [own, taken]) assert.equal((await turnOn(key.token, domain)).status, 200)
  // It is on already: the key that turned it on stays the one that pays.
  assert.equal((await turnOn(later.token, own)).status, 200)
  const session = await sessionOf(registrar, owner)
  assert.equal((await turnOn(session, taken)).status, 200)
  await registrar.days(352)
  await registrar.run(autoRenew)
  for (const domain of [own, taken])
    assert.deepEqual(registrar.effects(domain), ['create', 'renew'])
  assert.deepEqual([await spentOf(key.token), await spentOf(later.token)], ['10.85', '0.00'])
})

test('a budget that is used up, and a key that was revoked, renew nothing: the owner is mailed', async () => {
  const owner = await newOwner()
  const [poor, ended] = [
    await registrar.buys(owner, 'auto-poor.com'),
    await registrar.buys(owner, 'auto-ended.com'),
  ]
  const spender = await keyOf(owner, cap('15.00'))
  assert.equal((await turnOn(spender.token, poor)).status, 200)
  await registrar.buys({ ...owner, key: spender.token }, 'auto-spends.com')
  const revoked = await keyOf(owner, {})
  assert.equal((await turnOn(revoked.token, ended)).status, 200)
  const path = `/v1/customers/${owner.id}/api-keys/${revoked.id}/revoke`
  await registrar.request('POST', path, { token: owner.key })
  await registrar.days(352)
  await registrar.run(autoRenew)
  for (const domain of [poor, ended]) assert.deepEqual(registrar.effects(domain), ['create'])
  const bodies = (await registrar.emails(owner)).map(({ body }) => body.replaceAll('\n', ' '))
  assert.ok(bodies.some((body) => body.includes(poor) && /4\.15 USD left/.test(body)))
  assert.ok(bodies.some((body) => body.includes(ended) && /may no longer buy/.test(body)))
  assert.doesNotMatch(registrar.logs.join(''), /auto_renew_failed/)
})

test('a price above approval_above renews nothing: the owner is mailed, and no operator alarmed', async () => {
  const owner = await newOwner()
  const domain = await registrar.buys(owner, 'auto-asks.com')
  const key = await keyOf(owner, { approval_above: { amount: '12.00' } })
  assert.equal((await turnOn(key.token, domain)).status, 200)
  const lowered = await registrar.request('PATCH', `/v1/customers/${owner.id}/api-keys/${key.id}`, {
    token: await recentSessionOf(registrar, owner),
    body: { approval_above: { amount: '10.00' } },
  })
  assert.equal(lowered.status, 200, lowered.text)
  await registrar.days(352)
  await registrar.run(autoRenew)
  assert.deepEqual(registrar.effects(domain), ['create'])
  const bodies = (await registrar.emails(owner)).map(({ body }) => body.replaceAll('\n', ' '))
  assert.ok(bodies.some((body) => body.includes(domain) && /needs it above 10\.00/.test(body)))
  assert.doesNotMatch(registrar.logs.join(''), /auto_renew_failed/)
})

test('a key whose domains or TLDs were narrowed renews none of the others', async () => {
  const owner = await newOwner()
  const [hidden, other] = [
    await registrar.buys(owner, 'auto-hidden.com'),
    await registrar.buys(owner, 'auto-other.net'),
  ]
  const key = await keyOf(owner, cap('90.00'))
  for (const domain of [hidden, other]) assert.equal((await turnOn(key.token, domain)).status, 200)
  const narrowed = { allowed_domains: ['auto-o*.net', 'auto-x.com'], allowed_tlds: ['com'] }
  const changed = await registrar.request('PATCH', `/v1/customers/${owner.id}/api-keys/${key.id}`, {
    token: await recentSessionOf(registrar, owner),
    body: narrowed,
  })
  assert.equal(changed.status, 200, changed.text)
  await registrar.days(352)
  await registrar.run(autoRenew)
  for (const domain of [hidden, other]) assert.deepEqual(registrar.effects(domain), ['create'])
  const bodies = (await registrar.emails(owner)).map(({ body }) => body.replaceAll('\n', ' '))
  for (const domain of [hidden, other])
    assert.ok(
      bodies.some((body) => body.includes(domain) && /do not allow this/.test(body)),
      domain,
    )
})
