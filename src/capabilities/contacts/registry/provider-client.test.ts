// Provider clients: creation, state, refresh; and registries that time out or refuse.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { startService, type TestCustomer } from '../../../../test/support/service.ts'
import { systemCall } from '../../audit/index.ts'
import { refreshProviderClients } from './refresh-provider-clients.job.ts'

const registrar = await startService({ worker: false })
const { app, settings } = registrar.service
const token = registrar.operatorKey

const reconcile = (customer: { id: string }, by = token) =>
  registrar.request('POST', `/v1/customers/${customer.id}/reconcile-provider-client`, { token: by })
async function shown(customer: TestCustomer) {
  const [own, theirs] = await Promise.all([
    registrar.request('GET', '/v1/account', { token: customer.key }),
    registrar.request('GET', `/v1/customers/${customer.id}`, { token }),
  ])
  assert.deepEqual(own.body.provider_client, theirs.body.provider_client)
  return own.body.provider_client
}
const change = (customer: TestCustomer, body: object) =>
  registrar.request('PATCH', `/v1/customers/${customer.id}/contacts/${customer.contact_id}`, {
    token,
    body,
  })
const job = () => refreshProviderClients.run(app, systemCall(app, refreshProviderClients.name))
const sent = (command: string) => registrar.sandbox.counters().thick.commands[command]?.applied ?? 0
const fault = (name: 'drop_after' | 'drop_before' | 'refuse_2306', command: string) =>
  registrar.sandbox.setFault({ name, command, registry: 'thick', times: null })

async function sql(text: string, params: unknown[] = []) {
  const client = new pg.Client({ connectionString: settings.database_url ?? '' })
  await client.connect()
  const { rows } = await client.query(text, params)
  await client.end()
  return rows
}

test('is created from the default registrant, once, and shown to the operator and the owner', async () => {
  const customer = await registrar.customer({ funds_cents: 0 })
  assert.equal(await shown(customer), null)
  const before = sent('contact:create')
  const { status, body } = await reconcile(customer)
  assert.equal(status, 200)
  assert.equal(body.id, customer.id)
  const { provider, client_id, state, reconciled_at } = body.provider_client
  assert.deepEqual([provider, state], ['thick', 'active'])
  assert.match(client_id, /^AR[0-9A-Z]+-[0-9A-Z]{4}$/)
  assert.ok(Math.abs(Date.parse(reconciled_at) - Date.now()) < 60_000)
  assert.deepEqual(await shown(customer), body.provider_client)
  const again = await reconcile(customer)
  assert.equal(again.body.provider_client.client_id, client_id)
  assert.ok(again.body.provider_client.reconciled_at >= reconciled_at)
  assert.equal(sent('contact:create'), before + 1, 'the object was made once')
  const rows = await sql(
    `select actor_type, metadata from audit_logs
      where action = 'reconcile_provider_client' and customer_id = $1
        and metadata->>'registry' = 'thick'`,
    [customer.id],
  )
  assert.equal(rows.length, 2)
  assert.deepEqual(rows[0], {
    actor_type: 'operator',
    metadata: { registry: 'thick', client_id },
  })
})

test('is stale once its facts change, and a job updates it', async () => {
  const customer = await registrar.customer({ funds_cents: 0 })
  await reconcile(customer)
  const first = await shown(customer)
  await change(customer, { default_technical: false })
  assert.equal((await shown(customer)).state, 'active', 'flags are not sent to the registry')
  await change(customer, { city: 'Cambridge' })
  assert.deepEqual(await shown(customer), { ...first, state: 'stale' })
  await change(customer, { city: 'London' })
  assert.equal((await shown(customer)).state, 'active', 'as the registry has it')
  await change(customer, { city: 'Cambridge' })
  const updates = sent('contact:update')
  assert.deepEqual(await job(), { more: false })
  assert.equal(sent('contact:update'), updates + 1)
  assert.equal((await shown(customer)).state, 'active')
  await job()
  assert.equal(sent('contact:update'), updates + 1, 'nothing is left to send')
})

test('another default registrant is another object; none leaves it stale', async () => {
  const customer = await registrar.customer({ funds_cents: 0 })
  await reconcile(customer)
  const before = await shown(customer)
  const { body: contact } = await registrar.request(
    'GET',
    `/v1/customers/${customer.id}/contacts/${customer.contact_id}`,
    { token },
  )
  const { id: _, customer_id: __, handle: ___, created_at, updated_at, ...facts } = contact
  assert.ok(created_at && updated_at)
  const path = `/v1/customers/${customer.id}/contacts`
  const made = await registrar.request('POST', path, {
    token,
    body: { ...facts, name: 'Bob Byte' },
  })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(await shown(customer), { ...before, state: 'stale' })
  await job()
  const after = await shown(customer)
  assert.equal(after.state, 'active')
  assert.notEqual(after.client_id, before.client_id)
  const unset = { token, body: { default_registrant: false } }
  await registrar.request('PATCH', `${path}/${made.body.id}`, unset)
  assert.equal((await shown(customer)).state, 'stale')
  assert.deepEqual(await job(), { more: false })
  const { status, body } = await reconcile(customer)
  assert.deepEqual([status, body.code], [409, 'default_registrant_required'])
  assert.equal((await shown(customer)).state, 'stale')
})

test('a lost response leaves it "none"; a retry finds the object of the first attempt', async () => {
  const customer = await registrar.customer({ funds_cents: 0 })
  const before = sent('contact:create')
  fault('drop_after', 'contact:create')
  const lost = await reconcile(customer)
  assert.deepEqual([lost.status, lost.body.code], [503, 'provider_unreachable'])
  assert.equal(lost.headers.get('retry-after'), '10')
  const unsure = await shown(customer)
  assert.deepEqual([unsure.state, unsure.reconciled_at], ['none', null])
  const found = await reconcile(customer)
  assert.equal(found.status, 503, 'still silent')
  registrar.sandbox.clearFaults()
  const { body } = await reconcile(customer)
  assert.deepEqual(
    [body.provider_client.state, body.provider_client.client_id],
    ['active', unsure.client_id],
  )
  assert.equal(sent('contact:create'), before + 1, 'one object')
})

test('a time-out of an update keeps it stale, and the job retries later', async () => {
  const customer = await registrar.customer({ funds_cents: 0 })
  await reconcile(customer)
  await change(customer, { city: 'Oxford' })
  fault('drop_before', 'contact:create')
  assert.equal((await reconcile(customer)).status, 503)
  assert.equal((await shown(customer)).state, 'stale')
  registrar.sandbox.clearFaults()
  await job()
  assert.equal((await shown(customer)).state, 'stale', 'its next try is in 10 s')
  await sql(`update tasks set run_at = now() where payload->>'customer_id' = $1`, [customer.id])
  await job()
  assert.equal((await shown(customer)).state, 'active')
})

test('a refusal is returned with the registry’s message and stored; the job waits for other facts', async () => {
  const customer = await registrar.customer({ funds_cents: 0 })
  fault('refuse_2306', 'contact:create')
  const { status, body } = await reconcile(customer)
  assert.deepEqual([status, body.code], [409, 'provider_refused'])
  assert.match(body.detail, /^thick refused: ./)
  const refused = await shown(customer)
  assert.deepEqual([refused.state, refused.reconciled_at], ['failed', null])
  registrar.sandbox.clearFaults()
  await job()
  assert.equal((await shown(customer)).state, 'failed')
  await change(customer, { city: 'Bath' })
  await job()
  assert.equal((await shown(customer)).state, 'active')
})

test('concurrent calls update it once: the other gets 409 or finds it done', async () => {
  const customer = await registrar.customer({ funds_cents: 0 })
  const before = sent('contact:create')
  const answers = await Promise.all([1, 2, 3, 4].map(() => reconcile(customer)))
  assert.ok(answers.some(({ status }) => status === 200))
  for (const { status, body, headers } of answers) {
    if (status === 200) continue
    assert.deepEqual([status, body.code], [409, 'provider_client_busy'])
    assert.equal(headers.get('retry-after'), '5')
  }
  assert.equal(sent('contact:create'), before + 1)
  assert.equal((await shown(customer)).state, 'active')
})

test('the lease of a node that died keeps others away until it ends', async () => {
  const customer = await registrar.customer({ funds_cents: 0 })
  await reconcile(customer)
  await change(customer, { city: 'Ely' })
  const lease = (text: string) =>
    sql(
      `update tasks set lease_token = 'died', lease_until = ${text}
        where payload->>'customer_id' = $1`,
      [customer.id],
    )
  await lease(`now() + interval '1 minute'`)
  assert.equal((await reconcile(customer)).body.code, 'provider_client_busy')
  await job()
  assert.equal((await shown(customer)).state, 'stale')
  await lease(`now() - interval '1 hour'`)
  await sql('update tasks set run_at = now()', [])
  await job()
  assert.equal((await shown(customer)).state, 'active')
})

test('is for operators, and for a customer that exists and has a registrant', async () => {
  const customer = await registrar.customer({ funds_cents: 0, contact: false })
  const none = await reconcile(customer)
  assert.deepEqual([none.status, none.body.code], [409, 'default_registrant_required'])
  assert.equal(await shown(customer), null)
  const own = await reconcile(customer, customer.key)
  assert.deepEqual([own.status, own.body.code], [403, 'operator_only'])
  const unknown = await reconcile({ id: `cus_${'0'.repeat(26)}` })
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'customer_not_found'])
})

test('where no registry keeps contacts, there is no provider', async () => {
  const file = join(settings.data_dir, 'thin-only.yaml')
  const [thinOnly] = readFileSync('registries.yaml', 'utf8').split(/\n *- name: thick/)
  writeFileSync(file, thinOnly ?? '')
  const other = await startService({
    worker: false,
    sandbox: registrar.sandbox,
    settings: { REGISTRIES_FILE: file },
  })
  const customer = await other.customer({ funds_cents: 0 })
  const path = `/v1/customers/${customer.id}/reconcile-provider-client`
  const { status, body } = await other.request('POST', path, { token })
  assert.deepEqual([status, body.code], [409, 'provider_without_clients'])
})
