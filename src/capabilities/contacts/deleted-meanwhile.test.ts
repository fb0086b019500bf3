// Deletion of a contact while it is being sent to a registry: no request and no job fails.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService, type TestCustomer } from '../../../test/support/service.ts'
import type { Job } from '../../app.ts'
import { systemCall } from '../audit/index.ts'
import { refreshProviderClients } from './registry/refresh-provider-clients.job.ts'
import { syncContacts } from './registry/sync-contacts.job.ts'

const registrar = await startService({ worker: false })
const { app } = registrar.service
const { sandbox, operatorKey: token } = registrar
after(() => sandbox.clearFaults())

const reconcile = ({ id }: TestCustomer) =>
  registrar.request('POST', `/v1/customers/${id}/reconcile-provider-client`, { token })
const contact = ({ id, contact_id }: TestCustomer) => `/v1/customers/${id}/contacts/${contact_id}`
const run = (job: Job) => job.run(app, systemCall(app, job.name))

/** Deletes the contact during `work`, while the registry is slow to answer. */
async function deletedWithin<T>(customer: TestCustomer, work: () => Promise<T>): Promise<T> {
  for (const command of ['contact:create', 'contact:update'])
    sandbox.setFault({ name: 'slow', command, registry: 'thick', times: 1, delay_ms: 60_000 })
  const before = sandbox.faults().length
  const done = work()
  while (sandbox.faults().length === before) await sleep(5)
  assert.equal((await registrar.request('DELETE', contact(customer), { token })).status, 204)
  sandbox.clearFaults()
  sandbox.releaseDelayed()
  const result = await done
  return result
}

test('the update succeeds; the client is stale until there is another registrant', async () => {
  const customer = await registrar.customer({ funds_cents: 0 })
  const { status, body, text } = await deletedWithin(customer, () => reconcile(customer))
  assert.equal(status, 200, text)
  assert.equal(body.provider_client.state, 'stale')
  assert.equal((await reconcile(customer)).body.code, 'default_registrant_required')
})

for (const job of [syncContacts, refreshProviderClients])
  test(`${job.name} continues`, async () => {
    const customer = await registrar.customer({ funds_cents: 0 })
    assert.equal((await reconcile(customer)).status, 200)
    const body = { name: 'Grace Hopper' }
    await registrar.request('PATCH', contact(customer), { token, body })
    await deletedWithin(customer, () => run(job))
    assert.deepEqual(await run(job), { more: false })
  })
