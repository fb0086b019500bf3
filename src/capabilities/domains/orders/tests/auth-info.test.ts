// Authorization information that a registry refuses (2005, 2202): another is tried once, at a
// create and at a transfer code, and a create whose answer is then lost is still known by it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unsetAuthCodes } from '../../updates/auth-codes/expire-auth-codes.job.ts'
import { updateService } from '../../updates/updates.fixture.ts'
import { settleOrders } from '../settle-orders.job.ts'

const registrar = await updateService()
const { owner, sandbox, call } = registrar
const alphanumeric = /^[A-Za-z0-9]{24}$/
const creates = (domain: string) =>
  registrar.effects(domain).filter((one) => one === 'create').length
const fingerprints = async (domain: string) => {
  const [row] = await registrar.query('select fingerprints, state from orders where domain = $1', [
    domain,
  ])
  return row ?? assert.fail(domain)
}

for (const code of [2005, 2202])
  test(`a create answered ${code} is sent again, with letters and digits only`, async () => {
    const domain = `created-${code}.test`
    sandbox.setFault({ name: 'answer', command: 'domain:create', domain, code })
    const { status } = await call('200', 'POST /v1/domains', { domain })
    assert.equal(status, 'active')
    assert.match(sandbox.lookup(domain)?.auth_info ?? '', alphanumeric)
    assert.equal(creates(domain), 1)
    assert.equal(Array((await fingerprints(domain)).fingerprints).flat().length, 2)
  })

test('a create that is refused twice is refused, and nothing is paid', async () => {
  const domain = 'refused-twice.test'
  const before = await registrar.balance(owner)
  const sent = registrar.count('domain:create', '2202')
  sandbox.setFault({ name: 'answer', command: 'domain:create', domain, code: 2202, times: null })
  await call('409 registry_refused', 'POST /v1/domains', { domain })
  sandbox.clearFaults()
  assert.equal(registrar.count('domain:create', '2202') - sent, 2)
  assert.equal(await registrar.balance(owner), before)
})

test('where no authorization information is sent, a refusal is not tried again', async () => {
  const domain = 'sent-none.com'
  const sent = registrar.count('domain:create', '2005')
  sandbox.setFault({ name: 'answer', command: 'domain:create', domain, code: 2005, times: null })
  await call('409 registry_refused', 'POST /v1/domains', { domain })
  sandbox.clearFaults()
  assert.equal(registrar.count('domain:create', '2005') - sent, 1)
})

test('a second create whose answer is lost is known by its own fingerprint', async () => {
  const domain = 'lost-second.test'
  sandbox.setFault({ name: 'answer', command: 'domain:create', domain, code: 2202 })
  sandbox.setFault({ name: 'drop_after', command: 'domain:create', domain })
  const { status, operation } = await call('200', 'POST /v1/domains', { domain })
  assert.deepEqual([status, operation.state], ['pending', 'unknown'])
  const { fingerprints: kept } = await fingerprints(domain)
  assert.equal(Array(kept).flat().length, 2)
  await registrar.query(`update orders set run_at = now(), lease_until = now() where domain = $1`, [
    domain,
  ])
  await registrar.run(settleOrders)
  assert.equal((await registrar.read(owner, domain)).body.status, 'active')
  assert.equal(creates(domain), 1)
})

for (const code of [2005, 2202])
  test(`a transfer code answered ${code} is replaced by one of letters and digits`, async () => {
    const domain = await registrar.buys(owner, `coded-${code}.test`)
    sandbox.setFault({ name: 'answer', command: 'domain:update', domain, code })
    const regenerate = `POST /v1/domains/${domain}/transfer-auth-code/regenerate`
    const { auth_code } = await call('200', regenerate)
    assert.match(auth_code, alphanumeric)
    assert.equal(sandbox.lookup(domain)?.auth_info, auth_code)
  })

test('a code whose removal and replacement are refused is replaced by letters and digits', async () => {
  const domain = await registrar.buys(owner, 'taken-away.test')
  const { auth_code } = await call('200', `GET /v1/domains/${domain}/transfer-auth-code`)
  await registrar.days(8)
  for (const code of [2306, 2202])
    sandbox.setFault({ name: 'answer', command: 'domain:update', domain, code })
  await registrar.run(unsetAuthCodes)
  const left = sandbox.lookup(domain)?.auth_info ?? ''
  assert.match(left, alphanumeric)
  assert.notEqual(left, auth_code)
})

test('a registry that demands a composition takes every code that is made', async () => {
  const before = registrar.count('domain:create', '2202')
  for (let n = 0; n < 40; n += 1) await registrar.buys(owner, `composed-${n}.test`)
  assert.equal(registrar.count('domain:create', '2202'), before)
})
