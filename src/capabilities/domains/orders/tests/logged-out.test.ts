// A registry that logs out all sessions at once: an order, a change and a check are done all the
// same, and what it goes on to refuse so is not sent, never refused.

import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { settleOrders } from '../settle-orders.job.ts'

const registrar = await lifecycleService()
const owner = await registrar.customer()
const { sandbox } = registrar
afterEach(() => sandbox.clearFaults())

const ask = (method: string, path: string, body: object) =>
  registrar.request(method, path, { token: owner.key, body })

/** Several sessions are open, as after some minutes of sales. */
async function sessionsOpen(): Promise<void> {
  const names = Array.from({ length: 8 }, (_, i) => `opens-${i}-${Date.now()}.com`)
  await Promise.all(names.map((name) => ask('POST', '/v1/domains/check', { domains: [name] })))
}

function loggedOutAt(command: string, times: number | null = 1): void {
  sandbox.setFault({ name: 'log_out', registry: 'thin', command, times })
}

test('an order, a change and a check are done after the registry has logged out every session', async () => {
  await sessionsOpen()
  loggedOutAt('domain:create')
  const bought = await ask('POST', '/v1/domains', { domain: 'logged-out.com' })
  assert.equal(bought.status, 200, bought.text)
  assert.equal(bought.body.operation.state, 'succeeded', bought.text)
  await sessionsOpen()
  loggedOutAt('domain:update')
  const locked = await ask('POST', '/v1/domains/logged-out.com/lock', {})
  assert.equal(locked.status, 200, locked.text)
  await sessionsOpen()
  loggedOutAt('domain:check')
  const checked = await ask('POST', '/v1/domains/check', { domains: ['logged-out-free.com'] })
  assert.equal(checked.body.domains?.[0]?.available, true, checked.text)
})

test('2002 without end keeps the money of an order held, and refuses nothing', async () => {
  const domain = 'logged-out-long.com'
  loggedOutAt('domain:create', null)
  const bought = await ask('POST', '/v1/domains', { domain })
  assert.equal(bought.body.operation?.state, 'unknown', bought.text)
  const stored = async () =>
    registrar.query('select state, error_code from orders where domain = $1', [domain])
  assert.deepEqual({ ...Object((await stored())[0]) }, { state: 'unknown', error_code: 'not_sent' })
  sandbox.clearFaults()
  await registrar.query('update orders set run_at = now(), lease_until = now() where domain = $1', [
    domain,
  ])
  await registrar.run(settleOrders)
  assert.equal(Object((await stored())[0]).state, 'succeeded')
  loggedOutAt('domain:update', null)
  const locked = await ask('POST', `/v1/domains/${domain}/lock`, {})
  assert.equal(locked.body.code, 'registry_unreachable', locked.text)
})
