// Account operations through the pipeline, on a real database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testPipeline } from '../../../test/support/test-pipeline.ts'
import { updateAccount } from '../sign-in/email-changes/update-account.ts'

const pipeline = await testPipeline({ operations: [updateAccount] })
const { call, operator } = pipeline
const owner = await pipeline.customer()
const other = await pipeline.customer()
const reader = await pipeline.key(owner.id, ['account:read'])
const writer = await pipeline.key(owner.id, ['account:write'])

describe('access', () => {
  it('answers 401 without a token, and for an unknown one', async () => {
    for (const at of ['GET /v1/account', `GET /v1/customers/${owner.id}`, 'POST /v1/customers']) {
      assert.equal((await call(at)).body.code, 'unauthenticated')
      assert.equal((await call(at, { token: 'ar_test_unknown' })).body.code, 'invalid_token')
    }
  })

  it("answers 404 for another customer's account", async () => {
    const answer = await call(`GET /v1/customers/${owner.id}`, { token: other.key })
    assert.deepEqual([answer.status, answer.body.code], [404, 'customer_not_found'])
  })

  it('names the scope that is missing', async () => {
    const read = await call('GET /v1/account', { token: writer })
    assert.deepEqual([read.status, read.body.required_scope], [403, 'account:read'])
    for (const at of ['PATCH /v1/account', 'PATCH /v1/account/default-nameservers']) {
      const answer = await call(at, { token: reader, body: { name: 'New' } })
      assert.deepEqual([answer.status, answer.body.required_scope], [403, 'account:write'])
    }
  })

  it('keeps customers from creating customers, and operators from "my account"', async () => {
    const body = { email: 'x@example.net', name: 'X' }
    const made = await call('POST /v1/customers', { token: owner.key, body })
    assert.deepEqual([made.status, made.body.code], [403, 'operator_only'])
    const mine = await call('GET /v1/account', { token: operator })
    assert.deepEqual([mine.status, mine.body.code], [403, 'customer_required'])
  })

  it('lets a suspended account be read, not changed', async () => {
    const { id, key } = await pipeline.customer()
    await pipeline.db.query(`update customers set status = 'suspended' where id = $1`, [id])
    assert.equal((await call('GET /v1/account', { token: key })).body.status, 'suspended')
    const change = await call('PATCH /v1/account', { token: key, body: { name: 'New' } })
    assert.deepEqual([change.status, change.body.code], [403, 'account_suspended'])
  })
})

describe('create_customer', () => {
  const create = (body: object) => call('POST /v1/customers', { token: operator, body })

  it('answers 201 with every field, and audits it in the log of the new customer', async () => {
    const answer = await create({ email: 'New@Example.NET', name: ' Ada ', company_name: ' ' })
    assert.equal(answer.status, 201)
    const { id, created_at, updated_at, ...rest } = answer.body
    assert.match(String(id), /^cus_[0-9a-hjkmnp-tv-z]{26}$/)
    assert.equal(created_at, updated_at)
    assert.deepEqual(rest, {
      email: 'New@example.net',
      email_verified: false,
      name: 'Ada',
      company_name: null,
      status: 'active',
      default_nameservers: [],
      provider_client: null,
    })
    assert.deepEqual((await call(`GET /v1/customers/${id}`, { token: operator })).body, answer.body)
    const rows = await pipeline.db.query(
      'select action, actor_type, result from audit_logs where customer_id = $1 order by id',
      [id],
    )
    assert.deepEqual(rows, [
      { action: 'create_customer', actor_type: 'operator', result: 'success' },
      // An operator's reading leaves a row, too.
      { action: 'get_customer', actor_type: 'operator', result: 'success' },
    ])
  })

  it('answers 404 to an operator for an unknown id', async () => {
    const answer = await call('GET /v1/customers/cus_unknown', { token: operator })
    assert.deepEqual([answer.status, answer.body.code], [404, 'customer_not_found'])
  })

  it('answers 409 for an email address that is taken, in upper or lower case, also concurrently', async () => {
    const body = { email: 'one@example.net', name: 'One' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(body)))
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    const taken = await create({ ...body, email: 'ONE@EXAMPLE.net' })
    assert.deepEqual([taken.status, taken.body.code], [409, 'email_taken'])
  })

  it('answers 422 for header injection, and for read-only fields', async () => {
    const wrong: [object, string][] = [
      [{ email: 'a@example.net\r\nBcc: b@example.net' }, 'email'],
      [{ email: 'a@b@example.net' }, 'email'],
      [{ name: 'Ada\r\nBcc: b@example.net' }, 'name'],
      [{ name: 'Ada\n' }, 'name'],
      [{ name: '  ' }, 'name'],
      [{ company_name: 'Ada\u0000Ltd' }, 'company_name'],
      [{ name: null }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ status: 'closed' }, 'status'],
      [{ id: 'cus_1' }, 'id'],
      [{ email_verified: true }, 'email_verified'],
    ]
    for (const [change, field] of wrong) {
      const answer = await create({ email: 'fine@example.net', name: 'Fine', ...change })
      assert.equal(answer.status, 422, JSON.stringify(change))
      const [detail] = [answer.body.detail].flat()
      assert.deepEqual(Object(detail).loc.slice(0, 2), ['body', field])
    }
  })
})

describe('get_account', () => {
  it('answers the account of the token', async () => {
    const answer = await call('GET /v1/account', { token: reader })
    assert.deepEqual([answer.status, answer.body.id], [200, owner.id])
  })
})

describe('update_account', () => {
  const update = (body: object) => call('PATCH /v1/account', { token: writer, body })

  it('changes the given fields and leaves the rest', async () => {
    const first = await update({ name: 'Grace', company_name: 'Navy' })
    assert.equal(first.status, 200)
    assert.equal(first.body.email_verification_sent, false)
    const second: Record<string, unknown> = Object(
      (await update({ company_name: null })).body.customer,
    )
    assert.deepEqual([second.name, second.company_name], ['Grace', null])
  })

  it('answers 403 for another email address, and treats the same one as no change', async () => {
    const other = await update({ email: 'other@example.net' })
    assert.deepEqual([other.status, other.body.code], [403, 'session_required'])
    const { email } = (await call('GET /v1/account', { token: reader })).body
    assert.equal((await update({ email: String(email).toUpperCase() })).status, 200)
    assert.equal((await call('GET /v1/account', { token: reader })).body.email, email)
  })

  it('answers 422 for an empty or an invalid request', async () => {
    const nothing = await update({})
    assert.deepEqual(
      [nothing.status, nothing.body.detail],
      [422, [{ loc: ['body'], msg: 'At least one field is needed', type: 'too_short' }]],
    )
    for (const body of [{ name: '' }, { name: null }, { email: 'no' }, { balance: '1' }])
      assert.equal((await update(body)).status, 422)
  })
})

describe('update_default_nameservers', () => {
  const set = (default_nameservers: unknown) =>
    call('PATCH /v1/account/default-nameservers', { token: writer, body: { default_nameservers } })

  it('stores them as lower-case A-labels without a final dot', async () => {
    const answer = await set(['NS1.Example.NET.', 'ns2.bücher.example'])
    assert.deepEqual(answer.body, {
      default_nameservers: ['ns1.example.net', 'ns2.xn--bcher-kva.example'],
    })
    const account = await call('GET /v1/account', { token: reader })
    assert.deepEqual(account.body.default_nameservers, answer.body.default_nameservers)
  })

  it('answers 422 for too few, too many, duplicates, and invalid host names', async () => {
    const good = 'ns1.example.net'
    const many = Array.from({ length: 14 }, (_, i) => `ns${i}.example.net`)
    const lists: unknown[] = [[], [good], many, [good, 'NS1.example.net.'], 'ns1.example.net', null]
    for (const bad of [
      '192.0.2.1',
      '::1',
      '0x7f.1',
      'localhost',
      'a_b.example',
      '-a.example',
      'a b.example',
    ])
      lists.push([good, bad])
    for (const bad of [
      '',
      '.',
      'a..example',
      `${'a'.repeat(64)}.example`,
      'xn--a.example',
      'ns.example\n',
      7,
    ])
      lists.push([good, bad])
    for (const list of lists) assert.equal((await set(list)).status, 422, JSON.stringify(list))
    assert.equal((await set(many.slice(0, 13))).status, 200)
  })

  it('names the entry in loc', async () => {
    const answer = await set(['ns1.example.net', '192.0.2.1'])
    assert.deepEqual(Object(answer.body.detail)[0].loc, ['body', 'default_nameservers', 1])
  })
})
