// Contact operations through the pipeline, on a real database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Body, testPipeline } from '../../../test/support/test-pipeline.ts'
import { operations } from './index.ts'

const pipeline = await testPipeline({ operations })
const { call, operator, db } = pipeline
const owner = await pipeline.customer()
const other = await pipeline.customer()
const at = `/v1/customers/${owner.id}/contacts`

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
const create = (change: object = {}, token = owner.key) =>
  call(`POST ${at}`, { token, body: { ...ada, ...change } })
const update = (id: unknown, body: object, token = owner.key) =>
  call(`PATCH ${at}/${id}`, { token, body })
const read = (id: unknown) => call(`GET ${at}/${id}`, { token: owner.key })
const remove = (id: unknown, token = owner.key) => call(`DELETE ${at}/${id}`, { token })
const places = (detail: unknown) =>
  [detail].flat().map((one) => `${Object(one).loc.join('.')} ${Object(one).type}`)

describe('access', () => {
  it("answers 404 for another customer's contacts, by the path and by the contact's id", async () => {
    const { id } = (await create()).body
    for (const route of [`GET ${at}`, `POST ${at}`, `PATCH ${at}/${id}`, `DELETE ${at}/${id}`]) {
      const answer = await call(route, { token: other.key, body: {} })
      assert.deepEqual([answer.status, answer.body.code], [404, 'customer_not_found'])
    }
    const theirs = `/v1/customers/${other.id}/contacts/${id}`
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { city: 'Delft' } : undefined
      const answer = await call(`${method} ${theirs}`, { token: other.key, body })
      assert.deepEqual([answer.status, answer.body.code], [404, 'contact_not_found'])
    }
    assert.equal((await read(id)).body.city, 'Amsterdam')
  })

  it('names the scope that is missing', async () => {
    const none = await pipeline.key(owner.id, [])
    const list = await call(`GET ${at}`, { token: none })
    assert.deepEqual([list.status, list.body.required_scope], [403, 'contacts:read'])
    for (const answer of [await create({}, none), await update(1, {}, none), await remove(1, none)])
      assert.deepEqual([answer.status, answer.body.required_scope], [403, 'contacts:write'])
  })

  it('lets an operator write and read them, but not those of an unknown customer', async () => {
    const made = await create({}, operator)
    assert.equal(made.status, 201)
    const { id } = made.body
    assert.equal((await update(id, { city: 'Delft' }, operator)).body.city, 'Delft')
    assert.equal((await remove(id, operator)).status, 204)
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? ada : undefined
      const answer = await call(`${method} /v1/customers/cus_unknown/contacts`, {
        token: operator,
        body,
      })
      assert.deepEqual([answer.status, answer.body.code], [404, 'customer_not_found'])
    }
  })
})

describe('create_contact', () => {
  it("answers 201 with the request's fields in their order, then the rest", async () => {
    const answer = await create({ handle: 'ada', company_name: 'Engines', default_admin: true })
    assert.equal(answer.status, 201)
    assert.deepEqual(Object.keys(answer.body), [
      ...['handle', 'name', 'email', 'company_name', 'address', 'address_line_2', 'city', 'state'],
      ...['country', 'zip', 'phone_country_code', 'phone_number', 'default_registrant'],
      ...['default_admin', 'default_technical', 'default_billing'],
      ...['id', 'customer_id', 'created_at', 'updated_at'],
    ])
    const { id, created_at, updated_at, ...rest } = answer.body
    assert.equal(typeof id, 'number')
    assert.equal(created_at, updated_at)
    assert.deepEqual(rest, {
      ...ada,
      handle: 'ada',
      company_name: 'Engines',
      address_line_2: null,
      default_registrant: false,
      default_admin: true,
      default_technical: false,
      default_billing: false,
      customer_id: owner.id,
    })
    assert.deepEqual((await read(id)).body, answer.body)
    const listed = await call(`GET ${at}`, { token: owner.key })
    assert.deepEqual(listed.list.at(-1), answer.body)
  })

  it('stores the country as two letters, however it was named', async () => {
    for (const country of ['nl', 'NLD', 'Netherlands', 'the netherlands', 'Holland'])
      assert.equal((await create({ country })).body.country, 'NL')
  })
})

describe('create_contact refuses', () => {
  it('with 422 every invalid field', async () => {
    const wrong: [object, string[]][] = [
      [{ email: 'a@example.net\r\nBcc: b@example.net' }, ['body.email value_error']],
      [{ name: 'Ada\r\nBcc: x' }, ['body.name string_control_character']],
      [{ city: '\u0007' }, ['body.city string_control_character']],
      [{ address: 'a\ufffe' }, ['body.address string_control_character']],
      [{ company_name: 'x\u202ey' }, ['body.company_name string_control_character']],
      [{ zip: ' ' }, ['body.zip string_too_short']],
      [{ handle: '' }, ['body.handle string_too_short']],
      [{ handle: ' ' }, ['body.handle string_too_short']],
      [{ country: 'Atlantis' }, ['body.country value_error']],
      [{ country: 'US' }, ['body.state value_error']],
      [{ state: 'US-CA' }, ['body.state value_error']],
      [{ phone_number: '1' }, ['body.phone_number value_error']],
      [{ phone_country_code: '999' }, ['body.phone_country_code value_error']],
      [{ default_admin: 'true' }, ['body.default_admin bool_type']],
      [{ id: 1, version: 2 }, ['body.id extra_forbidden', 'body.version extra_forbidden']],
      [{ email: 'x', zip: '\n', country: 'zz' }, []],
    ]
    for (const [change, expected] of wrong) {
      const answer = await create(change)
      assert.equal(answer.status, 422, JSON.stringify(change))
      if (expected.length > 0) assert.deepEqual(places(answer.body.detail), expected)
    }
    const none = await call(`POST ${at}`, { token: owner.key, body: {} })
    assert.equal(places(none.body.detail).length, 9)
  })

  it('accepts each field at its maximal length, and rejects one character more', async () => {
    const most = { handle: 120, name: 200, company_name: 200, address: 300, address_line_2: 300 }
    const more = { city: 120, state: 120, zip: 32 }
    for (const [field, length] of Object.entries({ ...most, ...more })) {
      assert.equal((await create({ [field]: 'é'.repeat(length) })).status, 201, field)
      assert.equal((await create({ [field]: 'é'.repeat(length + 1) })).status, 422, field)
    }
  })
})

describe('defaults', () => {
  const roles = ['default_registrant', 'default_admin', 'default_technical', 'default_billing']

  it('are one for each role: setting one unsets the one before', async () => {
    const first = (await create({ default_registrant: true, default_billing: true })).body
    const second = (await create({ default_registrant: true })).body
    const old = (await read(first.id)).body
    assert.deepEqual([old.default_registrant, old.default_billing], [false, true])
    assert.equal((await update(first.id, { default_registrant: true })).status, 200)
    assert.equal((await read(second.id)).body.default_registrant, false)
  })

  it('stay one each under 20 concurrent creates and 20 updates', async () => {
    const all = Object.fromEntries(roles.map((role) => [role, true]))
    const some = (await create()).body
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        assert.equal((await create(all)).status, 201)
        assert.equal((await update(some.id, all)).status, 200)
      }),
    )
    const { list } = await call(`GET ${at}`, { token: owner.key })
    for (const role of roles) assert.equal(list.filter((one) => one[role] === true).length, 1)
  })
})

describe('update_contact', () => {
  it('changes the given fields, and null removes an optional one', async () => {
    const made = (await create({ company_name: 'Engines', address_line_2: 'c/o' })).body
    const changed = await update(made.id, { city: 'Delft', company_name: null })
    assert.equal(changed.status, 200)
    const { updated_at, ...rest } = changed.body
    const { updated_at: before, ...was } = made
    assert.ok(String(updated_at) >= String(before))
    assert.deepEqual(rest, { ...was, city: 'Delft', company_name: null })
  })

  it('raises the version for registries only when they would see a difference', async () => {
    const { id } = (await create()).body
    const version = async () =>
      (await db.query('select version from contacts where id = $1', [id]))[0]
    await update(id, { default_billing: true, city: ada.city })
    assert.deepEqual(await version(), { version: 1n })
    await update(id, { zip: '1012 JT' })
    assert.deepEqual(await version(), { version: 2n })
  })

  it('answers 404 for an unknown contact', async () => {
    assert.equal(
      (await update(9_007_199_254_740_991, { city: 'X' })).body.code,
      'contact_not_found',
    )
  })

  it('answers 422 for an empty request, the handle, null, and inconsistent fields', async () => {
    const { id } = (await create()).body
    const wrong: [object, string][] = [
      [{}, 'body too_short'],
      [{ handle: 'other' }, 'body.handle extra_forbidden'],
      [{ customer_id: other.id }, 'body.customer_id extra_forbidden'],
      [{ name: null }, 'body too_short'],
      [{ country: 'CA' }, 'body.state value_error'],
      [{ phone_country_code: '48', phone_number: '12' }, 'body.phone_number value_error'],
    ]
    for (const [change, expected] of wrong) {
      const answer = await update(id, change)
      assert.deepEqual([answer.status, places(answer.body.detail)], [422, [expected]])
    }
    assert.equal((await update('abc', { city: 'X' })).status, 422)
  })
})

describe('delete_contact', () => {
  it('answers 204 without a body, and 404 after that', async () => {
    const { id } = (await create()).body
    const answer = await remove(id)
    assert.deepEqual([answer.status, answer.body], [204, {}])
    assert.deepEqual(
      [(await remove(id)).body.code, (await read(id)).status],
      ['contact_not_found', 404],
    )
  })

  it('answers 409 while an order or a holding uses it, and audits the refusal', async () => {
    const { id } = (await create()).body
    await db.query(`insert into domain_contacts values ('ord_1', $1)`, [id])
    const answer = await remove(id)
    assert.deepEqual([answer.status, answer.body.code], [409, 'contact_in_use'])
    const [row] = await db.query(
      `select result, error_code from audit_logs where action = 'delete_contact' and target = $1`,
      [String(id)],
    )
    assert.deepEqual(row, { result: 'failed', error_code: 'contact_in_use' })
    await db.query(`delete from domain_contacts where holder = 'ord_1'`)
    assert.equal((await remove(id)).status, 204)
  })
})

describe('list_contact_countries and list_contact_states', () => {
  it('return all 249 countries without a token', async () => {
    const { status, list } = await call('GET /v1/contact-countries')
    assert.deepEqual([status, list.length], [200, 249])
    const named = (code: string): Body | undefined => list.find((one) => one.code === code)
    assert.deepEqual(named('NL'), {
      code: 'NL',
      name: 'Netherlands',
      alpha3: 'NLD',
      phone_country_code: '+31',
    })
    assert.equal(named('AQ')?.phone_country_code, null)
    assert.ok(list.every(({ name }) => typeof name === 'string' && name !== ''))
  })

  it('return the states of a country by any of its names, none for one without', async () => {
    const states = (country: string) => call('GET /v1/contact-states', { query: { country } })
    const { list } = await states('usa')
    assert.ok(list.some(({ code, name }) => code === 'US-CA' && name === 'California'))
    assert.deepEqual((await states('Hong Kong')).list, [])
    for (const country of ['Atlantis', 'x', 'XK'])
      assert.equal(places((await states(country)).body.detail)[0]?.split(' ')[0], 'query.country')
    assert.equal((await call('GET /v1/contact-states')).status, 422)
  })
})
