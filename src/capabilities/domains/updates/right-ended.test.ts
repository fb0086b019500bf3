// A right that ends between two sendings of a change: it is not sent again, and the answer does not
// say that nothing happened. One that ends before the first is refused, and the owner reads it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { recentSessionOf } from '../../../../test/support/sign-in.ts'
import { scopes } from '../../../app.ts'
import { updateService } from './updates.fixture.ts'

const registrar = await updateService()
const { owner, count, log, sandbox } = registrar
const session = await recentSessionOf(registrar, owner)
const keys = `/v1/customers/${owner.id}/api-keys`
const others = ['ns1.second.org', 'ns2.second.org']

async function keyOf() {
  const body = { scopes: [...scopes] }
  const made = await registrar.request('POST', keys, { token: session, body })
  assert.equal(made.status, 201, made.text)
  return { token: String(made.body.api_key), id: String(made.body.key.id) }
}

/** Changes the name servers; the key is revoked while the registry holds a reading. */
async function revokedAt(domain: string, reading: number) {
  const { token, id } = await keyOf()
  const hold = () =>
    sandbox.setFault({ name: 'slow', command: 'domain:info', domain, delay_ms: 60_000 })
  if (reading === 1) hold()
  const at = `/v1/domains/${domain}`
  const answer = registrar.request('PATCH', at, { token, body: { nameservers: others } })
  if (reading > 1) {
    // The update is lost, and then the next reading is held.
    while (sandbox.faults().some(({ command }) => command === 'domain:update')) await sleep(1)
    hold()
  }
  while (sandbox.faults().length > 0) await sleep(1)
  const revoked = await registrar.request('POST', `${keys}/${id}/revoke`, { token: session })
  assert.equal(revoked.status, 200, revoked.text)
  sandbox.releaseDelayed()
  return answer
}

const shownBy = (domain: string) => sandbox.lookup(domain)?.nameservers.toSorted()

test('a change whose sending was lost is not sent again, and is unconfirmed', async () => {
  const domain = 'right-lost.com'
  await registrar.buys(owner, domain)
  const before = { updates: count('domain:update'), nameservers: shownBy(domain) }
  sandbox.setFault({ name: 'drop_before', command: 'domain:update', domain })
  const { status, body } = await revokedAt(domain, 2)
  assert.deepEqual([status, body.code], [503, 'change_unconfirmed'])
  assert.deepEqual(shownBy(domain), before.nameservers)
  assert.equal(count('domain:update'), before.updates + 1)
  assert.equal((await log(domain)).at(-1), 'update_nameservers unknown')
})

test('a change that was done before the right ended is stored', async () => {
  const domain = 'right-done.com'
  await registrar.buys(owner, domain)
  sandbox.setFault({ name: 'drop_after', command: 'domain:update', domain })
  const { status, body } = await revokedAt(domain, 2)
  assert.equal(status, 200)
  assert.deepEqual(body.nameservers.toSorted(), others)
  assert.deepEqual(shownBy(domain), others)
  assert.equal((await log(domain)).at(-1), 'update_nameservers success')
})

test('a change that was never sent is refused, in the log of its owner', async () => {
  const domain = 'right-refused.com'
  await registrar.buys(owner, domain)
  const updates = count('domain:update')
  const { status, body } = await revokedAt(domain, 1)
  assert.deepEqual([status, body.code], [401, 'invalid_token'])
  assert.match(body.detail, /ended during this request/)
  assert.equal(count('domain:update'), updates)
  assert.equal((await log(domain)).at(-1), 'update_nameservers denied')
})
