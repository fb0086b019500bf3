// Contacts at a registry: those of a purchase, and changes sent to a sandbox registry over TLS.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { appOver, testPipeline } from '../../../../test/support/test-pipeline.ts'
import { open, profileOf, startEmptySandbox } from '../../../adapters/registry/fixtures/sandbox.ts'
import { systemCall } from '../../audit/index.ts'
import { contactForRegistry, jobs, namedContacts, operations } from '../index.ts'

const pipeline = await testPipeline({ operations })
const owner = await pipeline.customer()
const other = await pipeline.customer()
const ada = {
  name: 'Ada Lovelace',
  email: 'ada@example.net',
  address: 'Dam 1',
  city: 'Amsterdam',
  state: 'Noord-Holland',
  country: 'NL',
  zip: '1012 JS',
  phone_country_code: '31',
  phone_number: '201234567',
}

async function create(change: object = {}): Promise<number> {
  const at = `POST /v1/customers/${owner.id}/contacts`
  const answer = await pipeline.call(at, { token: owner.key, body: { ...ada, ...change } })
  assert.equal(answer.status, 201)
  return Number(answer.body.id)
}
async function update(id: number, body: object): Promise<void> {
  const at = `PATCH /v1/customers/${owner.id}/contacts/${id}`
  assert.equal((await pipeline.call(at, { token: owner.key, body })).status, 200)
}

describe('the contacts of a purchase', () => {
  const chosen = (requested: Parameters<typeof namedContacts>[2], customer = owner.id) =>
    namedContacts(pipeline.app.db, customer, requested)

  it('are the named ones, by id or by handle', async () => {
    const first = await create({ handle: 'Purchaser' })
    const second = await create({})
    const all = { registrant: first, admin: first, technical: first, billing: first }
    assert.deepEqual(await chosen({}), {})
    assert.deepEqual(await chosen({ contact: first }), all)
    assert.deepEqual(await chosen({ contact: 'purchaser' }), all)
    const mixed = await chosen({ contact: first, contacts: { billing: second } })
    assert.deepEqual(mixed, { ...all, billing: second })
  })

  it("are never another customer's, nor unknown ones", async () => {
    const id = await create({ handle: 'mine' })
    const wrong: [Parameters<typeof namedContacts>[2], string][] = [
      [{ contact: id }, 'contact'],
      [{ contact: 'mine' }, 'contact'],
      [{ contact: 0 }, 'contact'],
      [{ contacts: { admin: id, technical: id } }, 'contacts.admin contacts.technical'],
    ]
    for (const [requested, expected] of wrong)
      await assert.rejects(chosen(requested, other.id), (error) => {
        const fields: { path: string[] }[] = Object(error).fields
        return fields.map(({ path }) => path.join('.')).join(' ') === expected
      })
    const at = `POST /v1/customers/${other.id}/contacts`
    const { body } = await pipeline.call(at, {
      token: other.key,
      body: { ...ada, handle: 'MINE' },
    })
    assert.equal((await chosen({ contact: 'mine' }, other.id)).registrant, body.id)
    assert.equal((await chosen({ contact: 'mine' })).registrant, id)
  })
})

const sandbox = await startEmptySandbox()
const thick = open(profileOf(sandbox, 'thick'))
const app = appOver(pipeline.db, {
  app: { registries: { ...pipeline.app.registries, all: [thick] } },
})
after(async () => {
  await thick.close()
  await sandbox.close()
})

const known = (id: number) =>
  contactForRegistry(pipeline.app.db, {
    contact_id: BigInt(id),
    customer_id: owner.id,
    registry: 'thick',
  })
async function put(id: number): Promise<void> {
  const { contact, markSynced } = await known(id)
  const outcome = await thick.putContact(contact, 'normal')
  assert.equal(outcome.kind, 'done', JSON.stringify(outcome))
  await markSynced()
}
async function runJob(): Promise<void> {
  const [sync] = jobs
  assert.ok(sync)
  await sync.run(app, systemCall(app, sync.name))
}
const task = async (id: number) =>
  (await pipeline.db.query(`select * from tasks where key = $1`, [`thick/${id}`]))[0]

describe('a contact at a registry', () => {
  it('exists after a purchase, and is sent again only when it has changed', async () => {
    const id = await create()
    assert.equal((await known(id)).synced, false)
    await put(id)
    assert.equal((await known(id)).synced, true)
    await update(id, { default_technical: true })
    assert.equal((await known(id)).synced, true)
    await update(id, { city: 'Delft' })
    assert.equal((await known(id)).synced, false)
    await runJob()
    assert.equal((await known(id)).synced, true)
    const [audit] = await pipeline.db.query(
      `select entry_point, result, customer_id from audit_logs
        where action = 'sync_contacts' and target = $1`,
      [String(id)],
    )
    assert.deepEqual(audit, { entry_point: 'job', result: 'success', customer_id: owner.id })
  })

  it('accepts any script and any length of the contract', async () => {
    const long = {
      address: 'Straße '.repeat(42),
      address_line_2: 'ü'.repeat(300),
      zip: '9'.repeat(32),
    }
    await put(await create({ name: '山田 太郎', city: '京都', ...long, company_name: '<&]]>"' }))
  })

  it('backs off after each refusal, and is sent in the end', async () => {
    const id = await create()
    await put(id)
    await update(id, { zip: '1012 JT' })
    sandbox.setFault({ name: 'refuse_2306', registry: 'thick', command: 'contact:create' })
    await runJob()
    const failed = await task(id)
    assert.equal(failed?.attempts, 1)
    assert.match(String(failed?.last_error), /^refused \(2306\)/)
    assert.ok(Object(failed).run_at.getTime() > Date.now() + 5_000)
    await runJob()
    assert.equal((await task(id))?.attempts, 1)
    await pipeline.db.query('update tasks set run_at = now()')
    await runJob()
    assert.deepEqual([await task(id), (await known(id)).synced], [undefined, true])
  })

  it('is pushed once by two concurrent workers', async () => {
    const id = await create()
    await put(id)
    await update(id, { zip: '1012 JV' })
    await Promise.all([runJob(), runJob(), runJob()])
    const pushes = await pipeline.db.query(
      `select count(*)::int as rows from audit_logs where action = 'sync_contacts' and target = $1`,
      [String(id)],
    )
    assert.deepEqual(pushes, [{ rows: 1 }])
  })
})
