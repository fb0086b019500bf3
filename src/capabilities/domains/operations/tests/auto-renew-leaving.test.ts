// Automatic renewal of a name that is being deleted: turning it on is refused with the reason and
// the price of the restore that helps; turning it off is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteBehind } from '../../../../../test/support/other-registrar.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { syncDomains } from '../../holdings/sync-domains.job.ts'

const registrar = await lifecycleService()
const owner = await registrar.customer()
const set = (domain: string, auto_renew: boolean) =>
  registrar.request('PATCH', `/v1/domains/${domain}`, { token: owner.key, body: { auto_renew } })

/** Deleted at the registry after its add grace, and read since. */
async function inRedemption(domain: string): Promise<void> {
  await registrar.buys(owner, domain)
  await registrar.days(20)
  await deleteBehind(registrar, domain)
  await registrar.makeDue(domain)
  await registrar.run(syncDomains)
}

test('in redemption it is refused with the price of a restore, and off is allowed', async () => {
  const domain = 'leaving-auto.com'
  await inRedemption(domain)
  const on = await set(domain, true)
  assert.equal(on.status, 409, on.text)
  assert.equal(on.body.code, 'not_renewable')
  assert.match(on.body.detail, /being deleted/)
  assert.match(on.body.next_action.hint, /restore/i)
  const quoted = await registrar.request('POST', `/v1/domains/${domain}/restore`, {
    token: owner.key,
    body: { dry_run: true },
  })
  assert.equal(quoted.status, 200, quoted.text)
  assert.deepEqual(on.body.price, quoted.body.price)
  assert.equal((await set(domain, false)).status, 200)
  const restored = await registrar.request('POST', `/v1/domains/${domain}/restore`, {
    token: owner.key,
    body: {},
  })
  assert.equal(restored.status, 200, restored.text)
  assert.equal((await set(domain, true)).status, 200, 'restored')
})

test('while its registry gives no price it is refused all the same', async () => {
  const domain = 'leaving-unpriced.com'
  await inRedemption(domain)
  registrar.sandbox.setFault({ name: 'fail_2400', command: 'domain:check', domain, times: null })
  const on = await set(domain, true)
  registrar.sandbox.clearFaults()
  assert.equal(on.body.code, 'not_renewable', on.text)
  assert.equal(on.body.price, undefined)
})

test('after redemption nothing helps, and no price is named', async () => {
  const domain = 'leaving-late.com'
  await inRedemption(domain)
  await registrar.days(31)
  await registrar.makeDue(domain)
  await registrar.run(syncDomains)
  const on = await set(domain, true)
  assert.equal(on.body.code, 'not_renewable', on.text)
  assert.equal(on.body.price, undefined)
  assert.match(on.body.detail, /no longer/)
})
