// Handles of contacts: generated or given, unique among the contacts of one customer.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PipelineCustomer, testPipeline } from '../../../test/support/test-pipeline.ts'
import { comparableName } from '../../db/comparable-name.ts'
import { operations } from './index.ts'
import { namedContacts } from './order-contacts.ts'

const { app, call, db, customer } = await testPipeline({ operations })
const owner = await customer()
const other = await customer()

const ada = {
  name: 'Ada Lovelace',
  email: 'ada@example.net',
  address: 'Dam 1',
  city: 'Amsterdam',
  state: 'Noord-Holland',
  country: 'NL',
  zip: '1012 JS',
  phone_country_code: '+31',
  phone_number: '20 123 4567',
}
const createFor = ({ id, key }: PipelineCustomer, change: object) =>
  call(`POST /v1/customers/${id}/contacts`, { token: key, body: { ...ada, ...change } })
const create = (change: object = {}) => createFor(owner, change)

describe('create_contact', () => {
  it('generates a handle of initials, four digits and the country', async () => {
    for (const handle of [undefined, null])
      assert.match(String((await create({ handle })).body.handle), /^AL[0-9]{4}-NL$/)
    assert.match(String((await create({ name: '山田 太郎' })).body.handle), /^XX[0-9]{4}-NL$/)
  })

  it('generates a free handle where as many are taken as an account may have', async () => {
    await db.query(
      `insert into contacts (customer_id, handle, name, email, address, city, state, country, zip,
         phone_country_code, phone_number, default_registrant, default_admin, default_technical,
         default_billing, created_at, updated_at)
       select $1, 'QZ' || lpad(n::text, 4, '0') || '-NL', 'Q Z', 'q@example.net', 'a', 'c', 's',
              'NL', 'z', '31', '1', false, false, false, false, now(), now()
         from generate_series(0, 4900) n`,
      [owner.id],
    )
    assert.match(String((await create({ name: 'Quinn Zed' })).body.handle), /^QZ[0-9]{4}-NL$/)
    const theirs = await createFor(other, { name: 'Quinn Zed' })
    assert.match(String(theirs.body.handle), /^QZ[0-9]{4}-NL$/, 'its own handles are free')
  })
})

describe('create_contact refuses', () => {
  it('with 409 a handle that the customer has, in any case; and discloses nothing to another customer', async () => {
    assert.equal((await create({ handle: 'Taken' })).status, 201)
    const again = await create({ handle: 'taken' })
    assert.deepEqual([again.status, again.body.code], [409, 'handle_taken'])
    for (const handle of ['TAKEN', 'free']) {
      const theirs = await createFor(other, { handle })
      assert.deepEqual([theirs.status, theirs.body.handle], [201, handle])
    }
    const twice = await createFor(other, { handle: 'taken' })
    assert.deepEqual([twice.status, twice.body.code], [409, 'handle_taken'])
  })

  it('with 409 one that looks like another: NFKC, without characters that are not seen', async () => {
    assert.equal((await create({ handle: 'Office caf\u00e9 1' })).status, 201)
    for (const handle of [
      'office cafe\u0301 1',
      'o\u200bffice caf\u00e9 1',
      'o\ufb03ce caf\u00e9 1',
      '\uff2fffice caf\u00e9 1',
      'office\u00a0caf\u00e9 1',
      'office  caf\u00e9 1',
      'office caf\u00e9 1\u{e0041}',
      'office caf\u00e9 \u2460',
      'office caf\u00e9\ufe0f 1',
      'off\u00adice caf\u00e9 1',
    ]) {
      const { status, body } = await create({ handle })
      assert.deepEqual([status, body.code], [409, 'handle_taken'], JSON.stringify(handle))
    }
    assert.equal((await create({ handle: 'office cafe 1' })).status, 201, 'an accent is seen')
  })

  it('with 422 one of which nothing is seen', async () => {
    for (const handle of ['\u200b', '\u2060\ufeff', '\u3164', '\u2800']) {
      const { status, body } = await create({ handle })
      assert.equal(status, 422, JSON.stringify(handle))
      assert.match(JSON.stringify(body), /visible character/)
    }
  })
})

describe('a purchase', () => {
  it('finds a contact by a handle that looks like its own, exactly the same first', async () => {
    const made = await create({ handle: 'Lookalike' })
    const find = (contact: string) => namedContacts(app.db, owner.id, { contact })
    const id = made.body.id
    assert.equal((await find('look\u200balike')).registrant, id)
    // As an earlier version let it be made.
    const [row] = await db.query(
      `insert into contacts (customer_id, handle, name, email, address, city, state, country, zip,
         phone_country_code, phone_number, default_registrant, default_admin, default_technical,
         default_billing, created_at, updated_at)
       select customer_id, 'look\u200balike', name, email, address, city, state, country, zip,
         phone_country_code, phone_number, false, false, false, false, now(), now()
         from contacts where id = $1
       returning id`,
      [id],
    )
    assert.equal((await find('look\u200balike')).registrant, Number(row?.id))
    assert.equal((await find('lookalike')).registrant, id)
  })

  it('finds it by an index', async () => {
    const plan = await db.query(
      `explain select id from contacts where customer_id = $1
          and ${comparableName('handle')} = ${comparableName('$2::text')}`,
      [owner.id, 'a'],
    )
    assert.match(JSON.stringify(plan), /contacts_handle_as_seen/)
  })
})
