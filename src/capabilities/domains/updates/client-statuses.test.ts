// Client statuses that a former registrar left (RFC 5731 section 2.3): they go after a transfer in,
// and with an unlock; those that we set stay.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answerTransfer,
  sellElsewhere,
  setStatusesBehind,
  setStatusesElsewhere,
  soldCode,
} from '../../../../test/support/other-registrar.ts'
import { startService } from '../../../../test/support/service.ts'
import { settleOrders } from '../orders/settle-orders.job.ts'
import { pollRegistries } from '../poll/poll-messages.job.ts'
import { removeClientStatuses } from './remove-client-statuses.job.ts'
import { setOrderedNameservers } from './set-ordered-nameservers.job.ts'
import { updateService } from './updates.fixture.ts'

const registrar = await updateService(await startService({ worker: false }))
const { call, owner } = registrar
const prohibited = [
  'clientUpdateProhibited',
  'clientDeleteProhibited',
  'clientRenewProhibited',
  'clientHold',
]
const there = (domain: string) => registrar.sandbox.lookup(domain)?.epp_statuses.toSorted()

type Moving = { left?: string[]; body?: object; lock?: string[] }

/** Brought here from the other registrar, whose statuses the registry carries through. */
async function moved(
  domain: string,
  { left = prohibited, body = {}, lock = [] }: Moving = {},
): Promise<string> {
  await sellElsewhere(registrar, domain)
  await setStatusesElsewhere(registrar, domain, left)
  await call('200', 'POST /v1/domains/transfer', { domain, auth_code: soldCode, ...body })
  await answerTransfer(registrar, domain, 'approve')
  if (lock.length > 0) await setStatusesBehind(registrar, domain, { add: lock, remove: [] })
  await registrar.run(pollRegistries)
  await registrar.run(settleOrders)
  assert.deepEqual(there(domain), [...left, ...lock].toSorted())
  return domain
}

const due = (domain: string) =>
  registrar.query(
    `update tasks set run_at = now() where kind = 'remove_client_statuses'
       and key = (select id::text from domains where name = $1 and ended_at is null)`,
    [domain],
  )
const nameservers = ['ns1.example.org', 'ns2.example.org']

test('after a transfer in they are taken off, but for the lock, which the owner takes off', async () => {
  const left = prohibited.filter((status) => status !== 'clientUpdateProhibited')
  const domain = await moved('left-behind.com', { left, lock: ['clientTransferProhibited'] })
  await Promise.all([registrar.run(removeClientStatuses), registrar.run(removeClientStatuses)])
  assert.deepEqual(there(domain), ['clientTransferProhibited'])
  assert.deepEqual((await registrar.log(domain)).slice(-1), ['remove_client_statuses success'])
  const shown = await call('200', `GET /v1/domains/${domain}`)
  assert.deepEqual([shown.locked, shown.epp_statuses], [true, ['clientTransferProhibited']])
  const unlocked = await call('200', `POST /v1/domains/${domain}/unlock`)
  assert.deepEqual([unlocked.locked, unlocked.transferable], [false, true])
  assert.deepEqual(there(domain), ['ok'])
})

test('until then a refused change names the act that takes them off', async () => {
  const domain = await moved('left-a-while.com')
  const attempts = [
    ['PATCH', '', { nameservers }],
    ['POST', '/lock', undefined],
    ['GET', '/transfer-auth-code', undefined],
  ] as const
  for (const [method, path, body] of attempts) {
    const at = `${method} /v1/domains/${domain}${path}`
    const refused = await call('409 not_changeable', at, body)
    assert.match(refused.detail, /clientUpdateProhibited/)
    assert.match(refused.next_action.hint, /unlock_domain: POST \/v1\/domains\/\{domain\}\/unlock/)
  }
  const before = await registrar.balance(owner)
  const renewal = await call('409 not_renewable', `POST /v1/domains/${domain}/renew`, {
    period_years: 1,
  })
  assert.match(renewal.detail, /clientRenewProhibited/)
  assert.match(renewal.next_action.hint, /unlock_domain: POST \/v1\/domains\/\{domain\}\/unlock/)
  assert.equal(await registrar.balance(owner), before)
  const sent = registrar.count('domain:update')
  await call('200', `POST /v1/domains/${domain}/unlock`)
  assert.deepEqual(there(domain), ['ok'])
  assert.equal(registrar.count('domain:update') - sent, 2, 'the prohibition of updates goes first')
  await call('200', `PATCH /v1/domains/${domain}`, { nameservers })
  await call('200', `GET /v1/domains/${domain}/transfer-auth-code`)
  await call('200', `POST /v1/domains/${domain}/renew`, { period_years: 1 })
  await registrar.run(removeClientStatuses)
  assert.ok(!(await registrar.log(domain)).includes('remove_client_statuses success'))
})

test('name servers that were ordered with the transfer are set in the same round', async () => {
  const domain = await moved('left-with-servers.com', { body: { nameservers } })
  await registrar.run(setOrderedNameservers)
  assert.deepEqual(registrar.sandbox.lookup(domain)?.nameservers.toSorted(), nameservers)
  assert.deepEqual(there(domain), ['ok'])
})

test('a refusal is retried, then noted; an unlock still takes them off', async () => {
  const domain = await moved('left-for-good.com')
  registrar.sandbox.setFault({ name: 'refuse_2306', command: 'domain:update', domain, times: null })
  for (let tries = 0; tries < 6; tries += 1) {
    await due(domain)
    await registrar.run(removeClientStatuses)
  }
  registrar.sandbox.clearFaults()
  assert.deepEqual(there(domain), prohibited.toSorted())
  assert.deepEqual((await registrar.log(domain)).slice(-1), ['remove_client_statuses failed'])
  await call('200', `POST /v1/domains/${domain}/unlock`)
  assert.deepEqual(there(domain), ['ok'])
})

test('a domain that did not come by a transfer keeps what is set behind us until an unlock', async () => {
  const domain = 'never-moved.com'
  await call('200', 'POST /v1/domains', { domain })
  await setStatusesBehind(registrar, domain, { add: prohibited, remove: [] })
  await registrar.makeDue(domain)
  await registrar.run(removeClientStatuses)
  assert.deepEqual(there(domain), prohibited.toSorted())
  await call('200', `POST /v1/domains/${domain}/unlock`)
  assert.deepEqual(there(domain), ['ok'])
})

test('a hold of ours stays', async () => {
  const domain = 'held-by-us.com'
  await call('200', 'POST /v1/domains', { domain })
  const left = ['clientHold', 'clientDeleteProhibited']
  await setStatusesBehind(registrar, domain, { add: left, remove: [] })
  await registrar.query('update domains set lift_hold_at = now() where name = $1', [domain])
  await call('200', `POST /v1/domains/${domain}/unlock`)
  assert.deepEqual(there(domain), ['clientHold'])
})
