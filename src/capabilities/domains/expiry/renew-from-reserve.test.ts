// Renewals that draw on the renewal reserve: those of the service and of the owner's session, and
// none of a key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, type TestCustomer } from '../../../../test/support/service.ts'
import { recentSessionOf } from '../../../../test/support/sign-in.ts'
import { lifecycleService } from '../holdings/lifecycle.fixture.ts'
import { settleOrders } from '../orders/settle-orders.job.ts'
import { autoRenew } from './auto-renew.job.ts'

const registrar = await lifecycleService(await startService({ worker: false }))

const post = (token: string, path: string, body: object = {}) =>
  registrar.request('POST', path, { token, body })
const shown = async ({ id, key }: TestCustomer) => {
  const path = `/v1/customers/${id}/billing/balance`
  const { body } = await registrar.request('GET', path, { token: key })
  return [body.available, body.held, body.reserved, body.total].join(' ')
}

/** An owner with a domain that draws on the reserve, 4.00 USD beside it, and a session. */
async function owner(name: string, reserved: string) {
  const cents = 1_085 + 400 + Math.round(Number(reserved) * 100)
  const person = await registrar.customer({ funds_cents: cents })
  const domain = await registrar.buys(person, name)
  const session = await recentSessionOf(registrar, person)
  const chosen = await post(session, `/v1/domains/${domain}/reserve`, { from_reserve: true })
  assert.deepEqual([chosen.status, chosen.body.from_reserve], [200, true], chosen.text)
  const kept = await post(session, '/v1/account/reserve', { amount: reserved })
  assert.deepEqual(kept.body, { currency: 'USD', reserved, available: '4.00' }, kept.text)
  return { person, domain, session }
}

test('a key neither spends nor sets it, and its renewals do not draw on it', async () => {
  const { person, domain } = await owner('kept-from-keys.com', '20.00')
  assert.equal(await shown(person), '4.00 0.00 20.00 24.00')
  for (const [path, body] of [
    ['/v1/domains', { domain: 'not-from-reserve.com' }],
    [`/v1/domains/${domain}/renew`, {}],
  ] as const) {
    const refused = await post(person.key, path, body)
    assert.deepEqual([refused.status, refused.body.balance], [402, '4.00'], refused.text)
    assert.equal(refused.body.shortfall, '6.85')
  }
  for (const [path, body] of [
    ['/v1/account/reserve', { amount: '0.00' }],
    [`/v1/domains/${domain}/reserve`, { from_reserve: false }],
  ] as const)
    assert.equal((await post(person.key, path, body)).body.code, 'session_required')
  assert.equal(await shown(person), '4.00 0.00 20.00 24.00')
})

test("the owner's session renews from it first, then from the balance", async () => {
  const { person, domain, session } = await owner('renewed-by-owner.com', '15.00')
  const path = `/v1/domains/${domain}/renew`
  const tried = await post(session, path, { dry_run: true })
  assert.equal(tried.body.status, 'dry_run', tried.text)
  assert.equal((await post(session, path)).status, 200)
  assert.equal(await shown(person), '4.00 0.00 4.15 8.15')
  const again = await post(session, path, { period_years: 2, dry_run: true })
  assert.deepEqual([again.status, again.body.shortfall], [402, '13.55'], again.text)
})

test('a renewal that the registry refuses returns what it drew', async () => {
  const { person, domain, session } = await owner('refused-from-reserve.com', '20.00')
  registrar.sandbox.setFault({ name: 'refuse_2306', command: 'domain:renew', domain })
  const refused = await post(session, `/v1/domains/${domain}/renew`)
  assert.equal(refused.status, 409, refused.text)
  assert.equal(await shown(person), '4.00 0.00 20.00 24.00')
  const { body } = await registrar.request(
    'GET',
    `/v1/customers/${person.id}/billing/transactions?limit=4`,
    { token: person.key },
  )
  assert.deepEqual(
    body.transactions.map(({ type, amount }: { type: string; amount: string }) => [type, amount]),
    [
      ['reserve', '-10.85'],
      ['release', '10.85'],
      ['hold', '-10.85'],
      ['reserve', '10.85'],
    ],
  )
})

test('an amount that is set while a renewal is open stays, whatever comes of the renewal', async () => {
  const { person, domain, session } = await owner('reserve-set-again.com', '20.00')
  registrar.sandbox.setFault({ name: 'drop_before', command: 'domain:renew', domain, times: null })
  const renewed = await post(session, `/v1/domains/${domain}/renew`)
  assert.equal(renewed.body.operation.state, 'unknown', renewed.text)
  await post(session, '/v1/account/reserve', { amount: '5.00' })
  registrar.sandbox.clearFaults()
  registrar.sandbox.setFault({ name: 'refuse_2306', command: 'domain:renew', domain, times: null })
  for (const _ of [1, 2]) {
    await registrar.query(
      `update orders set run_at = now(), lease_until = now(),
              unanswered_at = now() - interval '1 hour'
        where domain = $1 and closed_at is null`,
      [domain],
    )
    await registrar.run(settleOrders)
  }
  assert.equal(await shown(person), '19.00 0.00 5.00 24.00')
})

test('automatic renewals draw on it, and the forecast counts it for these domains alone', async () => {
  const { person, domain } = await owner('renewed-from-reserve.com', '10.85')
  const other = await registrar.customer({ funds_cents: 1_085 })
  await registrar.query('update domains set auto_renew = true where name = $1', [domain])
  const runway = await registrar.request('GET', '/v1/account/runway', { token: person.key })
  const [dollars] = runway.body.currencies
  assert.deepEqual([dollars.reserved, dollars.due, dollars.missing], ['10.85', '10.85', '0.00'])
  const { expiry } = (await registrar.read(person, domain)).body
  const [first] = runway.body.domains
  assert.equal(first.from_reserve, true)
  assert.equal(Date.parse(first.lives_until) - Date.parse(expiry) > 364 * 86_400_000, true)
  assert.equal(await shown(other), '10.85 0.00 0.00 10.85')
  await registrar.days(352)
  await registrar.run(autoRenew)
  assert.deepEqual(registrar.effects(domain), ['create', 'renew'])
  assert.equal(await shown(person), '4.00 0.00 0.00 4.00')
})

test('an amount that is not covered, or not an amount, changes nothing', async () => {
  const { person, session } = await owner('asked-too-much.com', '1.00')
  for (const [amount, status, code] of [
    ['5.01', 402, 'reserve_not_covered'],
    ['-1.00', 422, undefined],
    ['1.001', 422, undefined],
    ['1e2', 422, undefined],
  ] as const) {
    const refused = await post(session, '/v1/account/reserve', { amount })
    assert.deepEqual(
      [refused.status, refused.body.code],
      [status, code],
      `${amount} ${refused.text}`,
    )
  }
  assert.equal(await shown(person), '4.00 0.00 1.00 5.00')
  const all = await post(session, '/v1/account/reserve', { amount: '5.00' })
  assert.deepEqual([all.body.available, all.body.reserved], ['0.00', '5.00'], all.text)
  const none = await post(session, '/v1/account/reserve', { amount: '0' })
  assert.deepEqual([none.body.available, none.body.reserved], ['5.00', '0.00'], none.text)
})
