// Life cycles of country codes, as facts of the registry's entry: a transfer that takes no period,
// or adds no year, and a registry that shows no expiry.
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import {
  answerTransfer,
  sellElsewhere,
  soldCode,
} from '../../../../../test/support/other-registrar.ts'
import type { RegistryProfile } from '../../../../adapters/registry/port.ts'
import { syncDomains } from '../../holdings/sync-domains.job.ts'
import { pollRegistries } from '../../poll/poll-messages.job.ts'
import { updateService } from '../../updates/updates.fixture.ts'
import { settleOrders } from '../settle-orders.job.ts'

const registrar = await updateService()
const { call, sandbox, app } = registrar
const { profile } = app.registries.byTld.get('com')?.registry ?? assert.fail()
const asWritten = { expiry: profile.expiry, transfer: profile.transfer }
const asShipped = { ...sandbox.settings }
const entry = (facts: Partial<Pick<RegistryProfile, 'expiry' | 'transfer'>>) =>
  Object.assign(profile, facts)
const restore = () => {
  entry(asWritten)
  Object.assign(sandbox.settings, asShipped)
}
afterEach(restore)
after(restore)

const dayOf = (at: string | null | undefined) => at?.slice(0, 10)
const atRegistry = (domain: string) => sandbox.lookup(domain)?.expires_at
const order = async (domain: string) =>
  Object((await registrar.query('select * from orders where domain = $1', [domain]))[0])

async function moved(domain: string): Promise<void> {
  sandbox.settings.sixty_day_rule = false
  await call('200', 'POST /v1/domains/transfer', { domain, auth_code: soldCode })
  await answerTransfer(registrar, domain, 'approve')
  await registrar.run(pollRegistries)
  await registrar.query('update orders set run_at = clock_timestamp() where domain = $1', [domain])
  await registrar.run(settleOrders)
  assert.equal((await order(domain)).state, 'succeeded', (await order(domain)).error_detail)
}

test('a transfer names no period where the registry takes none', async () => {
  sandbox.settings.transfer_without_period = true
  entry({ transfer: { years: 1, send_period: false } })
  await sellElsewhere(registrar, 'periodless.com')
  const before = atRegistry('periodless.com')
  await moved('periodless.com')
  const { expiry } = await call('200', 'GET /v1/domains/periodless.com')
  assert.equal(dayOf(expiry), dayOf(atRegistry('periodless.com')))
  assert.notEqual(dayOf(expiry), dayOf(before), 'it added its year')
})

test('a transfer that adds no year keeps the expiry, and is sold as such', async () => {
  Object.assign(sandbox.settings, { transfer_without_period: true, transfer_years: 0 })
  entry({ transfer: { years: 0, send_period: false } })
  await sellElsewhere(registrar, 'yearless.com')
  const before = atRegistry('yearless.com')
  const body = { domain: 'yearless.com', auth_code: soldCode, dry_run: true }
  const { price } = await call('200', 'POST /v1/domains/transfer', body)
  assert.deepEqual(price.items, [{ description: 'Transfer', amount: price.amount }])
  await moved('yearless.com')
  const { expiry, registry_expiry } = await call('200', 'GET /v1/domains/yearless.com')
  assert.deepEqual([dayOf(expiry), dayOf(registry_expiry)], [dayOf(before), dayOf(before)])
})

test('without an expiry it is the creation and the years bought, through all that follows', async () => {
  sandbox.settings.hides_expiry = true
  entry({ expiry: 'computed' })
  const domain = 'undated-expiry.com'
  const sent = registrar.count('domain:create')
  const bought = await call('200', 'POST /v1/domains', { domain, period_years: 2 })
  assert.equal(registrar.count('domain:create') - sent, 1)
  assert.deepEqual([bought.status, dayOf(bought.expiry)], ['active', dayOf(atRegistry(domain))])
  const renewed = await call('200', `POST /v1/domains/${domain}/renew`, { period_years: 1 })
  assert.equal(dayOf(renewed.expiry), dayOf(atRegistry(domain)))
  await registrar.makeDue(domain)
  await registrar.run(syncDomains)
  const read = await call('200', `GET /v1/domains/${domain}`)
  const shown = [dayOf(read.expiry), dayOf(read.registry_expiry)]
  assert.deepEqual(shown, [dayOf(atRegistry(domain)), dayOf(atRegistry(domain))])
  await registrar.daysPast(domain, 2)
  await registrar.makeDue(domain)
  await registrar.run(syncDomains)
  const later = await call('200', `GET /v1/domains/${domain}`)
  assert.equal(later.status, 'expired')
  assert.equal(dayOf(later.registry_expiry), dayOf(atRegistry(domain)), 'it renewed itself')
})

test('a transfer in without an expiry ends with the year that runs, and the years it adds', async () => {
  sandbox.settings.hides_expiry = true
  entry({ expiry: 'computed' })
  await sellElsewhere(registrar, 'undated-moved.com')
  await moved('undated-moved.com')
  const { expiry } = await call('200', 'GET /v1/domains/undated-moved.com')
  assert.equal(dayOf(expiry), dayOf(atRegistry('undated-moved.com')))
})

test('a create that is answered without an expiry is not sent again', async () => {
  sandbox.settings.hides_expiry = true
  const domain = 'create-once.com'
  const sent = registrar.count('domain:create')
  const bought = await call('200', 'POST /v1/domains', { domain })
  assert.equal(bought.status, 'pending')
  for (let rounds = 0; rounds < 4; rounds += 1) {
    await registrar.query('update orders set run_at = clock_timestamp() where domain = $1', [
      domain,
    ])
    await registrar.run(settleOrders)
  }
  assert.equal(registrar.count('domain:create') - sent, 1)
  assert.equal((await order(domain)).state, 'accepted')
  sandbox.settings.hides_expiry = false
  await registrar.query('update orders set run_at = clock_timestamp() where domain = $1', [domain])
  await registrar.run(settleOrders)
  assert.equal((await order(domain)).state, 'succeeded')
  assert.deepEqual(registrar.effects(domain), ['create'])
})
