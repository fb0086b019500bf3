// Dry runs of the four purchases: every check that can be made, a list of those that cannot, and no
// effect.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteBehind } from '../../../../../test/support/other-registrar.ts'
import { type Answer, someContact, type TestCustomer } from '../../../../../test/support/service.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'

const registrar = await lifecycleService()
const code = 'Seeded-2Move'

function send(buyer: TestCustomer, path: string, body: object): Promise<Answer> {
  return registrar.request('POST', path, { token: buyer.key, body: { ...body, dry_run: true } })
}

/** The checks that the answer names as not made. */
const unchecked = ({ body }: Answer) =>
  body.not_checked.map(({ check }: { check: string }) => check)
const orders = async () => (await registrar.query('select count(*)::int as n from orders'))[0]?.n

async function prepared(): Promise<{ buyer: TestCustomer; held: string; lost: string }> {
  const buyer = await registrar.customer()
  const [held, lost] = ['dry-held.com', 'dry-lost.com']
  await registrar.buys(buyer, held)
  await registrar.buys(buyer, lost)
  await registrar.days(10)
  await deleteBehind(registrar, lost)
  return { buyer, held, lost }
}

test('each of the four returns dry_run, lists the unchecked conditions, and has no effect', async () => {
  const { buyer, held, lost } = await prepared()
  const before = [await orders(), await registrar.balance(buyer)]
  const cases: [string, object, string[]][] = [
    ['/v1/domains', { domain: 'dry-new.com' }, ['nameservers', 'registry_acceptance']],
    ['/v1/domains', { domain: 'dry-new.io' }, ['contacts', 'nameservers', 'registry_acceptance']],
    [
      '/v1/domains/transfer',
      { domain: 'old-harbour.com', auth_code: code },
      ['auth_code', 'transfer_lock', 'nameservers', 'registry_acceptance'],
    ],
    [
      '/v1/domains/transfer',
      { domain: 'old-harbour.shop', auth_code: code },
      ['auth_code', 'transfer_lock', 'contacts', 'nameservers', 'registry_acceptance'],
    ],
    [`/v1/domains/${held}/renew`, {}, ['registry_acceptance']],
    [`/v1/domains/${lost}/restore`, {}, ['registry_acceptance']],
  ]
  for (const [path, body, left] of cases) {
    const answer = await send(buyer, path, body)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual([answer.body.status, answer.body.dry_run], ['dry_run', true], path)
    assert.deepEqual(unchecked(answer), left, path)
    assert.match(answer.body.price.amount, /^[0-9]+\.[0-9]{2}$/)
    assert.match(answer.body.next_actions[0].hint, /not_checked/)
  }
  assert.deepEqual([await orders(), await registrar.balance(buyer)], before)
  assert.equal((await registrar.read(buyer, held)).body.status, 'active')
})

test('a dry run refuses all that the purchase would refuse before it orders', async () => {
  const { buyer: rich } = { buyer: await registrar.customer() }
  const poor = await registrar.customer({ funds_cents: 100 })
  const bare = await registrar.customer({ contact: false })
  const domain = 'dry-refused.io'
  const own = [`ns1.${domain}`, `ns2.${domain}`]
  const moving = { domain: 'paper-lantern.io', auth_code: code }
  const cases: [TestCustomer, string, object, string][] = [
    [poor, '/v1/domains', { domain }, 'insufficient_funds'],
    [bare, '/v1/domains', { domain }, 'registrant_required'],
    [rich, '/v1/domains', { domain, nameservers: own }, 'glue_required'],
    [rich, '/v1/domains', { domain, max_price: '1.00' }, 'price_changed'],
    [rich, '/v1/domains', { domain: 'github.io' }, 'domain_taken'],
    [rich, '/v1/domains', { domain: 'robot.io' }, 'premium_not_allowed'],
    [poor, '/v1/domains/transfer', moving, 'insufficient_funds'],
    [bare, '/v1/domains/transfer', moving, 'registrant_required'],
    [rich, '/v1/domains/transfer', { ...moving, period_years: 2 }, 'period_not_allowed'],
    [rich, '/v1/domains/transfer', { ...moving, domain: 'dry-nobodys.io' }, 'not_transferable'],
    [
      rich,
      '/v1/domains/transfer',
      { ...moving, nameservers: ['ns1.paper-lantern.io', 'ns2.paper-lantern.io'] },
      'glue_required',
    ],
  ]
  for (const [buyer, path, body, expected] of cases) {
    const answer = await send(buyer, path, body)
    assert.equal(answer.body.code, expected, answer.text)
  }
})

test('a refused dry run is marked in the audit log, and a refused purchase is not', async () => {
  const buyer = await registrar.customer({ scopes: ['domains:purchase', 'audit:read'] })
  const body = { domain: 'dry-logged.com', max_price: '0.01' }
  for (const dry_run of [true, false]) {
    const token = buyer.key
    const refused = await registrar.request('POST', '/v1/domains', {
      token,
      body: { ...body, dry_run },
    })
    assert.equal(refused.body.code, 'price_changed', refused.text)
    const logged = await registrar.request('GET', '/v1/domain-audit-logs?limit=1', { token })
    const [{ metadata, result }] = logged.body.audit_logs
    assert.deepEqual([result, metadata], ['failed', dry_run ? { dry_run: true } : {}])
  }
})

test('a missing registrant is answered with the contact that can be used', async () => {
  const buyer = await registrar.customer({ contact: false })
  const ask = (body: object = {}) =>
    send(buyer, '/v1/domains', { domain: 'dry-registrant.io', ...body })
  const bare = await ask()
  assert.deepEqual([bare.body.code, bare.body.contact], ['registrant_required', undefined])
  const { default_registrant: _, ...plain } = someContact
  const made = await registrar.request('POST', `/v1/customers/${buyer.id}/contacts`, {
    token: buyer.key,
    body: { ...plain, handle: 'the-owner' },
  })
  assert.deepEqual([made.status, made.body.default_registrant], [201, false], made.text)
  const { body } = await ask()
  assert.deepEqual(body.contact, { id: made.body.id, handle: 'the-owner' })
  assert.match(body.detail, /"the-owner"/)
  assert.ok(JSON.stringify(body).includes(`\\"contact\\": ${made.body.id}`), JSON.stringify(body))
  const named = await ask({ contact: body.contact.id })
  assert.deepEqual([named.status, named.body.status], [200, 'dry_run'], named.text)
})
