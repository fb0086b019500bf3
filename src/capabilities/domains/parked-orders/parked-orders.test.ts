// Orders that need manual review: listed with what the registry shows, settled, released, and never
// twice.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { parkedOrderIn, stateOf } from '../../../../test/support/parked-order.ts'
import { sharedMovedService } from '../../../../test/support/service.ts'

const registrar = await sharedMovedService()
const token = registrar.operatorKey
const customer = await registrar.customer()
const client = new pg.Client({ connectionString: registrar.service.settings.database_url ?? '' })
before(() => client.connect())
after(() => client.end())

const list = (query = '') =>
  registrar.request('GET', `/v1/internal/parked-orders${query}`, { token })
const post = (id: string, what: 'settle' | 'release', body: object = {}) =>
  registrar.request('POST', `/v1/internal/parked-orders/${id}/${what}`, { token, body })
const balance = async (of = customer.id) => {
  const { body } = await registrar.request('GET', `/v1/customers/${of}/billing/balance`, { token })
  return { available: body.available, held: body.held }
}
const park = (fault: 'drop_after' | 'drop_before' = 'drop_after') =>
  parkedOrderIn(registrar, { key: customer.key, fault })
const entryOf = async (id: string, query = '') =>
  (await list(query)).body.orders.find((one: { id: string }) => one.id === id)
const cents = (amount: string) => Math.round(Number(amount) * 100)
const sql = async (text: string, params: unknown[]) => (await client.query(text, params)).rows

test('a parked order is listed with what was bought, its hold and, when asked, the registry', async () => {
  const { id, domain } = await park()
  const plain = await entryOf(id)
  assert.equal(plain.registry_shows, null)
  assert.deepEqual([plain.state, plain.type, plain.domain], ['parked', 'register', domain])
  assert.equal(plain.customer_id, customer.id)
  assert.equal(plain.alarm, 'parked: for a test')
  assert.match(plain.amount, /^[0-9]+\.[0-9]{2}$/)
  assert.equal(plain.command.period_years, 1)
  assert.equal(plain.closed_at, null)
  const { registry_shows } = await entryOf(id, '?look=true')
  assert.deepEqual([registry_shows.state, registry_shows.as_bought], ['ours', true])
  assert.equal(registry_shows.sponsor, 'registrar-a')
})

test('orders with only an alarm are listed on request, page by page, oldest first', async () => {
  const { id } = await park()
  await sql(`update orders set state = 'unknown' where id = $1`, [id])
  assert.equal(await entryOf(id), undefined)
  assert.equal((await entryOf(id, '?alarm=true')).state, 'unknown')
  const whole = (await list('?alarm=true')).body.orders
  const paged: unknown[] = []
  for (let query = '?alarm=true&limit=1'; ; ) {
    const { body } = await list(query)
    paged.push(...body.orders)
    if (body.next_cursor === null) break
    query = `?alarm=true&limit=1&cursor=${body.next_cursor}`
  }
  assert.deepEqual(paged, whole)
  await sql('update orders set alarm = null, run_at = now() + $2::interval where id = $1', [
    id,
    '1 day',
  ])
  assert.equal(await entryOf(id, '?alarm=true'), undefined)
  for (const what of ['settle', 'release'] as const) {
    const { status, body } = await post(id, what, what === 'release' ? { reason: 'x' } : {})
    assert.deepEqual([status, body.code], [409, 'order_not_parked'])
  }
})

test('a settled order is paid once and makes the holding that the registry shows', async () => {
  const before = await balance()
  const { id, domain } = await park()
  const settled = await post(id, 'settle')
  assert.equal(settled.status, 200, settled.text)
  assert.deepEqual([settled.body.state, settled.body.alarm], ['succeeded', null])
  assert.notEqual(settled.body.closed_at, null)
  const held = await registrar.request('GET', `/v1/domains/${domain}`, { token: customer.key })
  assert.equal(held.body.status, 'active')
  assert.equal(held.body.expiry, settled.body.registry_shows.expires_at)
  assert.equal(held.body.operation.state, 'succeeded')
  const paid = await balance()
  assert.equal(paid.held, before.held)
  assert.equal(cents(before.available) - cents(paid.available), cents(settled.body.amount))
  const [row] = await sql(
    `select actor_type, result, metadata from audit_logs
      where target = $1 and action = 'register_domain' order by id desc limit 1`,
    [domain],
  )
  assert.deepEqual([row.actor_type, row.result], ['operator', 'success'])
  assert.equal(row.metadata.decision, 'settle_parked_order')
  for (const what of ['settle', 'release'] as const) {
    const again = await post(id, what, what === 'release' ? { reason: 'again' } : {})
    assert.deepEqual([again.status, again.body.code], [409, 'order_closed'])
    assert.equal(again.body.state, 'succeeded')
  }
  assert.deepEqual(await balance(), paid)
})

test('a released order gives its money back, and shows the customer why', async () => {
  const before = await balance()
  const { id, domain } = await park('drop_before')
  const [open] = await sql('select count(*)::int as n from domain_contacts where holder = $1', [id])
  assert.equal(open.n, 1)
  const released = await post(id, 'release', { reason: 'The registry lost it.' })
  assert.equal(released.status, 200, released.text)
  assert.equal(released.body.state, 'failed')
  assert.equal(released.body.registry_shows.state, 'absent')
  assert.deepEqual(await balance(), before)
  const path = `/v1/operations/${id}`
  const { body } = await registrar.request('GET', path, { token: customer.key })
  assert.deepEqual(body.error, { code: 'released_by_operator', detail: 'The registry lost it.' })
  const [left] = await sql('select count(*)::int as n from domain_contacts where holder = $1', [id])
  assert.equal(left.n, 0)
  const [row] = await sql(
    `select actor_type, result, error_code, metadata from audit_logs
      where target = $1 and action = 'register_domain' order by id desc limit 1`,
    [domain],
  )
  assert.deepEqual([row.actor_type, row.error_code], ['operator', 'released_by_operator'])
  assert.equal(row.metadata.reason, 'The registry lost it.')
  assert.equal((await post(id, 'release', { reason: 'x' })).body.code, 'order_closed')
})

test('settling needs the domain to be ours at the registry; the facts are shown, nothing moves', async () => {
  const { id, domain } = await park('drop_before')
  const held = await balance()
  const absent = await post(id, 'settle', { force: true })
  assert.deepEqual([absent.status, absent.body.code], [409, 'order_not_ours'])
  assert.equal(absent.body.registry_shows.state, 'absent')
  assert.equal((await stateOf(registrar, id)).state, 'parked')
  assert.deepEqual(await balance(), held)
  const [row] = await sql(
    `select actor_type, error_code from audit_logs where target = $1 order by id desc limit 1`,
    [id],
  )
  assert.deepEqual([row.actor_type, row.error_code], ['operator', 'order_not_ours'])
  assert.equal((await post(id, 'release', { reason: `${domain} is gone` })).status, 200)
})

test('an order that is done at the registry is released only by force', async () => {
  const before = await balance()
  const { id } = await park()
  const refused = await post(id, 'release', { reason: 'wrong' })
  assert.deepEqual([refused.status, refused.body.code], [409, 'order_as_bought'])
  assert.equal(refused.body.registry_shows.as_bought, true)
  assert.equal((await post(id, 'release', { reason: 'wrong', force: true })).status, 200)
  assert.deepEqual(await balance(), before)
})

test('refuses every decision while the registry is silent, except a release by force', async () => {
  const { id, domain } = await park('drop_before')
  registrar.sandbox.setFault({ name: 'fail_2400', command: 'domain:info', domain, times: null })
  for (const [what, body] of [
    ['settle', { force: true }],
    ['release', { reason: 'x' }],
  ] as const) {
    const answer = await post(id, what, body)
    assert.deepEqual([answer.status, answer.body.code], [503, 'registry_unreachable'])
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
  }
  assert.equal((await entryOf(id, '?look=true')).registry_shows.state, 'silent')
  const released = await post(id, 'release', { reason: 'It stays silent.', force: true })
  assert.equal(released.status, 200, released.text)
  registrar.sandbox.clearFaults()
})

test('an order that is worked on is leased, and many decisions at once are one', async () => {
  const { id } = await park()
  await sql(`update orders set lease_until = now() + interval '1 minute' where id = $1`, [id])
  const busy = await post(id, 'settle')
  assert.deepEqual([busy.status, busy.body.code], [409, 'order_held'])
  assert.equal(busy.headers.get('retry-after'), '60')
  await sql('update orders set lease_until = now() where id = $1', [id])
  const answers = await Promise.all([
    post(id, 'settle'),
    post(id, 'release', { reason: 'x', force: true }),
    post(id, 'settle'),
    post(id, 'release', { reason: 'y', force: true }),
  ])
  const won = answers.filter(({ status }) => status === 200)
  assert.equal(won.length, 1, answers.map(({ text }) => text).join('\n'))
  for (const { status, body } of answers)
    assert.ok(status === 200 || ['order_held', 'order_closed'].includes(body.code))
  const path = `/v1/customers/${customer.id}/billing/transactions?limit=500`
  const { body } = await registrar.request('GET', path, { token })
  const ends = body.transactions.filter(
    (one: { operation_id: string; type: string }) => one.operation_id === id && one.type !== 'hold',
  )
  assert.equal(ends.length, 1)
})

test('an order with only an alarm is ended by force only', async () => {
  const { id } = await park('drop_before')
  await sql(
    `update orders set state = 'unknown', run_at = now() + interval '1 day' where id = $1`,
    [id],
  )
  const refused = await post(id, 'release', { reason: 'x' })
  assert.deepEqual([refused.status, refused.body.code], [409, 'order_not_parked'])
  const [row] = await sql('select state, lease_until <= now() as free from orders where id = $1', [
    id,
  ])
  assert.deepEqual(row, { state: 'unknown', free: true })
  assert.equal((await post(id, 'release', { reason: 'x', force: true })).status, 200)
})

test('refuses an unknown or invalid id, and a blank reason', async () => {
  const absent = `ord_${'0'.repeat(26)}`
  for (const what of ['settle', 'release'] as const) {
    const { status, body } = await post(absent, what, what === 'release' ? { reason: 'x' } : {})
    assert.deepEqual([status, body.code], [404, 'order_not_found'])
  }
  const blank = await post(absent, 'release', { reason: '  ' })
  assert.equal(blank.status, 422)
  assert.deepEqual(blank.body.detail[0].loc, ['body', 'reason'])
  assert.equal((await post(absent, 'release')).status, 422)
  assert.equal((await post('ord_x', 'settle')).status, 422)
  assert.equal((await list('?cursor=x')).status, 422)
})
