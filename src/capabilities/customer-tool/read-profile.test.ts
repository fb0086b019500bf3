// A customer's profile, the audit rows of readings, and the tool where it is off.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parkedOrderIn } from '../../../test/support/parked-order.ts'
import { at, headers, toolService } from './tool-service.fixture.ts'

const { registrar, owner, get, tag, customerWith } = await toolService()

describe('the profile', () => {
  const profileOf = async (id: string) => (await get(`${at}/${id}`)).body

  test('has balances, domains, orders, keys, mails and recent actions', async () => {
    const { id, key, email } = await registrar.customer({ funds_cents: 5_000 })
    const domain = `${tag}-profile.com`
    const bought = await registrar.request('POST', '/v1/domains', { token: key, body: { domain } })
    assert.equal(bought.status, 200, bought.text)
    const parked = await parkedOrderIn(registrar, { key, fault: 'drop_after' })
    const profile = await profileOf(id)
    assert.equal(profile.customer.email, email)
    const balance = `/v1/customers/${id}/billing/balance`
    const { body } = await registrar.request('GET', balance, { token: key })
    const [usd] = profile.balances
    assert.deepEqual([usd.available, usd.held, usd.owed], [body.available, body.held, '0.00'])
    assert.deepEqual([profile.domains.total, profile.domains.by_status], [1, { active: 1 }])
    assert.equal(profile.domains.next_expiry, bought.body.expiry)
    assert.deepEqual([profile.orders.open, profile.orders.parked], [1, 1])
    assert.deepEqual(
      [profile.orders.items[0].id, profile.orders.items[0].state],
      [parked.id, 'parked'],
    )
    assert.equal(profile.api_keys.active, 1)
    assert.ok(key.startsWith(profile.api_keys.items[0].key_prefix))
    assert.equal(profile.payments.length, 1)
    assert.equal(profile.counts.contacts, 1)
    assert.equal(profile.log_in.has_password, false)
    const actions = profile.audit_logs.map(({ action }: { action: string }) => action)
    assert.ok(actions.includes('register_domain'), actions.join())
    for (const secret of [key, key.slice(20)]) assert.ok(!JSON.stringify(profile).includes(secret))
  })

  test('counts domains by the status that their owner sees', async () => {
    const { id, key } = await registrar.customer()
    const names = ['a', 'b', 'c'].map((one) => `${tag}-${one}.com`)
    for (const domain of names)
      await registrar.request('POST', '/v1/domains', { token: key, body: { domain } })
    await owner.query(`update domains set rgp_statuses = '{redemptionPeriod}' where name = $1`, [
      names[0],
    ])
    const listed = await registrar.request('GET', '/v1/domains', { token: key })
    const expected: Record<string, number> = {}
    for (const { status } of listed.body.domains) expected[status] = (expected[status] ?? 0) + 1
    assert.deepEqual(expected, { active: 2, redemption: 1 })
    assert.deepEqual((await profileOf(id)).domains.by_status, expected)
  })

  test('of an account without anything is empty', async () => {
    const profile = await profileOf(await customerWith({}))
    assert.deepEqual([profile.balances, profile.domains.total], [[], 0])
    assert.equal(profile.domains.next_expiry, null)
  })

  test('of an unknown customer is 404', async () => {
    for (const id of [`cus_${'0'.repeat(26)}`, 'x', '%27%20or%20true--', '..%2F..']) {
      const { status, body } = await get(`${at}/${id}`)
      assert.deepEqual([status, body.code], [404, 'customer_not_found'], id)
    }
  })
})

describe('the audit log', () => {
  const newest = async (action: string) =>
    (
      await owner.query('select * from audit_logs where action = $1 order by id desc limit 1', [
        action,
      ])
    ).rows[0]

  test('records each read profile in the log of its customer', async () => {
    const { id, key } = await registrar.customer()
    await get(`${at}/${id}`)
    const logs = await registrar.request('GET', `/v1/customers/${id}/audit-logs`, { token: key })
    const entry = logs.body.audit_logs[0]
    assert.deepEqual(
      [entry.action, entry.actor_type, entry.actor_label, entry.entry_point, entry.target],
      ['read_customer_profile', 'operator', 'customer tool', 'internal', id],
    )
    assert.deepEqual([entry.result, entry.status_code], ['success', 200])
  })

  test('records each search with its results, in the log of no customer', async () => {
    const id = await customerWith({ name: `${tag}audited` })
    await get(`${at}?q=${tag}audited&limit=7`)
    const row = await newest('search_customers')
    assert.deepEqual([row.customer_id, row.actor_type, row.result], [null, 'operator', 'success'])
    assert.deepEqual(row.metadata.customers, [id])
    assert.deepEqual(row.metadata.asked, { q: `${tag}audited`, limit: 7, offset: 0 })
  })

  test('records refused readings', async () => {
    await get(`${at}/cus_${'0'.repeat(26)}`)
    const row = await newest('read_customer_profile')
    assert.deepEqual(
      [row.result, row.status_code, row.error_code],
      ['denied', 404, 'customer_not_found'],
    )
    assert.equal(row.customer_id, null)
  })
})

describe("an operator's browser session", async () => {
  const ours = { 'x-session': 'operator', 'sec-fetch-site': 'same-origin' }
  const name = `Support ${tag}`
  const token = registrar.operatorKey
  const made = await registrar.request('POST', '/v1/internal/operator-keys', {
    token,
    body: { name },
  })
  const { operator_key } = made.body
  const body = { operator_key }
  const entered = await registrar.request('POST', '/v1/operator/login', { body, headers: ours })
  const cookie = entered.headers.getSetCookie()[0]?.split('; ')[0] ?? ''
  const sent = (given: Record<string, string>, token?: string) =>
    registrar.request('GET', at, { headers: given, ...(token === undefined ? {} : { token }) })

  test('opens the tool, and the audit log has the name of the operator', async () => {
    const { id, key } = await registrar.customer()
    const answer = await registrar.request('GET', `${at}/${id}`, { headers: { ...ours, cookie } })
    assert.equal(answer.status, 200, answer.text)
    const logs = await registrar.request('GET', `/v1/customers/${id}/audit-logs`, { token: key })
    const read = logs.body.audit_logs.filter(
      ({ action }: { action: string }) => action === 'read_customer_profile',
    )
    assert.equal(read.length, 1, 'one row, and not one more by the pipeline')
    assert.deepEqual(
      [read[0].actor_type, read[0].actor_label, read[0].entry_point],
      ['operator', name, 'internal'],
    )
  })

  test('opens it also where no key of the tool is set', async () => {
    const { settings } = registrar.service
    const wanted = settings.customer_tool_key
    try {
      settings.customer_tool_key = null
      assert.equal((await sent({ ...ours, cookie })).status, 200)
    } finally {
      settings.customer_tool_key = wanted
    }
  })

  test('counts only with its proof, and neither it nor its key is a token', async () => {
    const [, session = ''] = cookie.split('=')
    for (const answer of [
      await sent({ cookie }),
      await sent({ cookie, 'x-session': 'cookie', 'sec-fetch-site': 'same-origin' }),
      await sent(ours),
      await sent({ ...ours, cookie }, operator_key),
      await sent({}, operator_key),
      await sent({}, session),
      await sent({ 'x-customer-tool-key': session }),
      await sent({ 'x-customer-tool-key': operator_key }),
      await sent({ ...ours, cookie, 'x-customer-tool-key': 'wrong' }),
    ])
      assert.deepEqual([answer.status, answer.body.code], [401, 'customer_tool_key_invalid'])
    const foreign = await sent({ ...ours, cookie, 'sec-fetch-site': 'cross-site' })
    assert.deepEqual([foreign.status, foreign.body.code], [403, 'cross_site_request'])
  })
})

test('without a key in the settings the tool is off', async () => {
  const { settings } = registrar.service
  const wanted = settings.customer_tool_key
  try {
    settings.customer_tool_key = null
    for (const own of [{}, headers, { 'x-customer-tool-key': '' }]) {
      const { status, body } = await registrar.request('GET', at, { headers: own })
      assert.deepEqual([status, body.code], [503, 'not_configured'])
      assert.match(body.next_action.hint, /CUSTOMER_TOOL_KEY/)
    }
  } finally {
    settings.customer_tool_key = wanted
  }
})

test('where the database has no role for it, the tool is off', async () => {
  const { app } = registrar.service
  const { inspection } = app
  try {
    app.inspection = null
    const { status, body } = await get(at)
    assert.deepEqual([status, body.code], [503, 'not_configured'])
    assert.match(body.detail, /role/)
  } finally {
    app.inspection = inspection
  }
})
