// Limits of keys through a whole service: set, read back, enforced on purchases, changed by the
// owner.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sharedService, type TestCustomer } from '../../../test/support/service.ts'

const registrar = await sharedService({ worker: false })
const all = ['account:read', 'domains:read', 'domains:write', 'domains:purchase', 'keys:write']
let names = 0
const nextName = (tld = 'com') => {
  names += 1
  return `capped-${process.pid}-${names}.${tld}`
}

async function limited(owner: TestCustomer, limits: object, token = owner.key) {
  const answer = await registrar.request('POST', `/v1/customers/${owner.id}/api-keys`, {
    token,
    body: { scopes: all, ...limits },
  })
  return { ...answer, token: String(answer.body.api_key), id: Number(answer.body.key?.id) }
}

const owner = () => registrar.customer({ funds_cents: 10_000, scopes: [...all, 'keys:read'] })
const buy = (token: string, domain: string, more: object = {}) =>
  registrar.request('POST', '/v1/domains', { token, body: { domain, ...more } })
const limitsOf = async (token: string) =>
  (await registrar.request('GET', '/v1/account/limits', { token })).body
const usd = (amount: string, window = 'month') => ({ amount, currency: 'USD', window })

describe('a spending limit', () => {
  it('is read back with what is spent and left, by the key itself and in its account', async () => {
    const person = await owner()
    const { status, token, body, id } = await limited(person, {
      name: 'buyer',
      spend_limit: usd('25.00', 'day'),
      max_price: { amount: '12.00' },
    })
    assert.equal(status, 201)
    const { until, ...rest } = body.key.spend_limit
    assert.deepEqual(rest, { ...usd('25.00', 'day'), spent: '0.00', left: '25.00' })
    const midnight = new Date(until)
    assert.equal(midnight.getTime() % 86_400_000, 0)
    assert.ok(midnight.getTime() > Date.now() && midnight.getTime() <= Date.now() + 86_400_000)
    assert.deepEqual(body.key.max_price, { amount: '12.00', currency: 'USD' })
    assert.equal((await buy(token, nextName())).status, 200)
    const { limits, spendable } = await limitsOf(token)
    assert.deepEqual(
      { ...limits[0], spend_limit: limits[0].spend_limit.left },
      {
        ...{ of: 'api_key', id: String(id), name: 'buyer', inherited: false, expires_at: null },
        ...{ spend_limit: '14.15', max_price: { amount: '12.00', currency: 'USD' } },
        ...{ allowed_tlds: null, allowed_domains: null, allowed_ips: null, approval_above: null },
        ...{ outside_allowed: 'refuse', dns: null },
      },
    )
    assert.deepEqual(spendable, [
      { currency: 'USD', amount: '12.00' },
      { currency: 'EUR', amount: '0.00' },
    ])
    const account = await registrar.request('GET', '/v1/account', { token })
    assert.deepEqual(account.body.limits, limits)
    const free = await registrar.request('GET', '/v1/account', { token: person.key })
    assert.equal(free.body.limits, null)
  })

  it('refuses the purchase that would exceed it, before anything is sent, and in a dry run', async () => {
    const person = await owner()
    const { token } = await limited(person, { name: 'buyer', spend_limit: usd('15.00') })
    assert.equal((await buy(token, nextName())).status, 200)
    const domain = nextName()
    for (const dry_run of [true, false]) {
      const refused = await buy(token, domain, { dry_run })
      assert.deepEqual([refused.status, refused.body.code], [403, 'spend_limit_exceeded'])
      assert.match(
        refused.body.detail,
        /price is 10\.85 USD, and the limit of "buyer" has 4\.15 USD left of 15\.00 USD a month/,
      )
      assert.deepEqual(refused.body.price, { currency: 'USD', amount: '10.85' })
      assert.equal(refused.body.limit.spend_limit.left, '4.15')
      assert.equal(refused.body.next_action.type, 'ask_owner')
    }
    const sent = registrar.sandbox.effects().filter((effect) => effect.domain === domain)
    assert.deepEqual(sent, [])
    assert.equal((await buy(person.key, domain)).status, 200, 'its owner is not limited')
  })

  it('binds its currency, and a highest price refuses any above it', async () => {
    const person = await owner()
    const { token } = await limited(person, { max_price: { amount: '10.84' } })
    const above = await buy(token, nextName())
    assert.deepEqual([above.status, above.body.code], [403, 'price_above_limit'])
    const euros = await buy(token, nextName(), { currency: 'EUR', dry_run: true })
    assert.deepEqual([euros.status, euros.body.code], [403, 'currency_not_allowed'])
  })

  it('of a key counts the purchases of the keys that it makes, and theirs those of it', async () => {
    const person = await owner()
    const parent = await limited(person, { name: 'parent', spend_limit: usd('40.00', 'total') })
    const child = await limited(person, { name: 'child', spend_limit: usd('12.00') }, parent.token)
    const free = await limited(person, { name: 'no limits of its own' }, child.token)
    assert.equal((await buy(free.token, nextName())).status, 200)
    const chain = (await limitsOf(free.token)).limits.map(
      (one: { name: string; inherited: boolean; spend_limit: { left: string } }) =>
        `${one.name} ${one.inherited} ${one.spend_limit.left}`,
    )
    assert.deepEqual(chain, ['child true 1.15', 'parent true 29.15'])
    const refused = await buy(free.token, nextName())
    assert.deepEqual([refused.status, refused.body.limit.name], [403, 'child'])
    assert.equal((await buy(parent.token, nextName())).status, 200)
    assert.equal((await limitsOf(parent.token)).limits[0].spend_limit.left, '18.30')
  })
})

describe('a limited key', () => {
  it('makes no key with a wider limit, or with more than is left of its own', async () => {
    const person = await owner()
    const held = {
      spend_limit: usd('15.00'),
      max_price: { amount: '12.00' },
      allowed_tlds: ['com', 'net'],
      allowed_domains: ['capped-*.com', 'one.net'],
      allowed_ips: ['127.0.0.0/8'],
    }
    const { token } = await limited(person, held)
    assert.equal((await buy(token, nextName())).status, 200)
    const wider: [object, string][] = [
      [{ spend_limit: usd('4.16', 'day') }, 'spend_limit'],
      [{ spend_limit: { ...usd('1.00'), currency: 'EUR' } }, 'spend_limit'],
      [{ max_price: { amount: '12.01' } }, 'max_price'],
      [{ max_price: { amount: '1.00', currency: 'EUR' } }, 'max_price'],
      [{ allowed_tlds: ['com', 'org'] }, 'allowed_tlds'],
      [{ allowed_domains: ['*.com'] }, 'allowed_domains'],
      [{ allowed_domains: ['two.net'] }, 'allowed_domains'],
      [{ allowed_ips: ['127.0.0.1', '10.0.0.1'] }, 'allowed_ips'],
      [{ allowed_ips: ['126.0.0.0/7'] }, 'allowed_ips'],
    ]
    for (const [limits, field] of wider) {
      const refused = await limited(person, limits, token)
      assert.deepEqual([refused.status, refused.body.code], [403, 'limit_not_held'], field)
      assert.deepEqual(refused.body.limits_not_held, [field])
    }
    const narrower = {
      spend_limit: usd('4.15', 'total'),
      max_price: { amount: '12.00' },
      allowed_tlds: ['com'],
      allowed_domains: ['capped-x*.com', 'one.net'],
      allowed_ips: ['127.0.0.1'],
    }
    assert.equal((await limited(person, narrower, token)).status, 201)
  })

  it('rotates itself and its own keys, and no key that is not under its limits', async () => {
    const person = await owner()
    const key = await limited(person, { spend_limit: usd('15.00') })
    const child = await limited(person, {}, key.token)
    const other = await limited(person, { spend_limit: usd('1.00') })
    const rotate = (id: number, token: string) =>
      registrar.request('POST', `/v1/customers/${person.id}/api-keys/${id}/rotate`, { token })
    assert.equal((await rotate(other.id, key.token)).body.code, 'api_key_not_own')
    assert.equal((await rotate(child.id, key.token)).status, 200)
    const rotated = await rotate(key.id, key.token)
    assert.equal(rotated.body.key.spend_limit.amount, '15.00')
  })
})

describe('lists of a limited key', () => {
  it('refuse it from an address that it does not have, on public routes, too', async () => {
    const person = await owner()
    const { token } = await limited(person, { allowed_ips: ['192.0.2.0/24', '2001:db8::7'] })
    for (const path of ['/v1/account', '/v1/pricing/tlds']) {
      const refused = await registrar.request('GET', path, { token })
      assert.deepEqual([refused.status, refused.body.code], [403, 'address_not_allowed'])
    }
    const own = await limited(person, { allowed_ips: ['127.0.0.1'] })
    assert.equal((await registrar.request('GET', '/v1/account', { token: own.token })).status, 200)
  })

  it('let it buy only under its TLDs, and the names that it may have', async () => {
    const person = await owner()
    const { token } = await limited(person, {
      allowed_tlds: ['.COM'],
      allowed_domains: ['capped-*.com', 'capped-*.net'],
    })
    for (const domain of [nextName('net'), 'elsewhere.com']) {
      const refused = await buy(token, domain)
      assert.deepEqual([refused.status, refused.body.code], [403, 'domain_not_allowed'], domain)
      assert.deepEqual(refused.body.allowed_tlds, [['com']])
    }
    assert.equal((await buy(token, nextName())).status, 200)
  })

  it('hide other domains from a list, an operation, an event and a log', async () => {
    const person = await registrar.customer({
      funds_cents: 10_000,
      scopes: [...all, 'audit:read', 'billing:read'],
    })
    const [mine, other] = [nextName(), nextName()]
    const made = await Promise.all([mine, other].map((domain) => buy(person.key, domain)))
    const { token } = await limited(person, {
      allowed_domains: [mine],
      scopes: ['account:read', 'domains:read', 'audit:read'],
    })
    const get = async (path: string) => (await registrar.request('GET', path, { token })).body
    for (const query of ['', '?limit=1']) {
      const { domains, next_cursor } = await get(`/v1/domains${query}`)
      assert.deepEqual(
        [domains.map((one: { domain: string }) => one.domain), next_cursor],
        [[mine], null],
      )
    }
    assert.equal((await get(`/v1/operations/${made[0]?.body.operation.id}`)).domain, mine)
    const hidden = await get(`/v1/operations/${made[1]?.body.operation.id}`)
    assert.equal(hidden.code, 'operation_not_found')
    const log = JSON.stringify(await get('/v1/domain-audit-logs'))
    assert.ok(log.includes(mine) && !log.includes(other))
    const { events } = await get('/v1/events?types=domain.*')
    assert.ok(!JSON.stringify(events).includes(other))
  })
})

describe('malformed limits', () => {
  it('are 422, all of them at once', async () => {
    const { status, body } = await limited(await owner(), {
      spend_limit: { amount: '1e3', currency: 'GBP', window: 'week' },
      max_price: { amount: '-1' },
      allowed_domains: ['*'],
      allowed_tlds: [],
      allowed_ips: ['10.0.0.0/33'],
    })
    assert.equal(status, 422)
    const found = body.detail.map(({ loc }: { loc: string[] }) => loc.slice(1).join('.'))
    assert.deepEqual(found, [
      ...['spend_limit.amount', 'spend_limit.currency', 'spend_limit.window'],
      ...['max_price.amount', 'allowed_tlds'],
    ])
    const values = await limited(await owner(), {
      allowed_domains: ['a.com', '*'],
      allowed_ips: ['10.0.0.0/33'],
    })
    assert.deepEqual(
      values.body.detail.map(({ loc }: { loc: string[] }) => loc.slice(1).join('.')),
      ['allowed_domains.1', 'allowed_ips.0'],
    )
  })
})

it('shows no balance to a key that may not buy', async () => {
  const person = await owner()
  const { token } = await limited(person, { scopes: ['account:read'] })
  assert.deepEqual((await limitsOf(token)).spendable, [
    { currency: 'USD', amount: '0.00' },
    { currency: 'EUR', amount: '0.00' },
  ])
  assert.equal((await limitsOf(person.key)).spendable[0].amount, '100.00')
})
