// Events through the service: a purchase and what a job causes, the cursor, filters by type and
// scope, and waits that end with an event, the time, or their token.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sharedService, type TestCustomer } from '../../../../test/support/service.ts'
import { byNumber, decodeCursor, encodeCursor } from '../../../lists/cursor.ts'

const registrar = await sharedService()
const { request, service } = registrar

type Query = { token: string; query?: string }
const list = ({ token, query = '' }: Query) =>
  request('GET', `/v1/events${query === '' ? '' : `?${query}`}`, { token })

type Shown = { id: string; type: string; subject: { id: string }; data: Record<string, unknown> }

/**
 * Events of the wanted types, once there are as many; all from the beginning. They are derived once
 * older transactions have ended, also those of other files on this PostgreSQL.
 */
async function seen(token: string, types: string, wanted: number): Promise<Shown[]> {
  for (let turn = 0; turn < 400; turn += 1) {
    const { status, body, text } = await list({ token, query: `types=${types}` })
    assert.equal(status, 200, text)
    if (body.events.length >= wanted) return body.events
    await sleep(100)
  }
  return assert.fail(`not ${wanted} of ${types}`)
}

async function buy(customer: TestCustomer, label: string): Promise<{ name: string; id: string }> {
  const name = `${label}-${customer.id.slice(-8)}.com`
  const { status, body, text } = await request('POST', '/v1/domains', {
    token: customer.key,
    body: { domain: name },
  })
  assert.equal(status, 200, text)
  return { name, id: body.operation.id }
}

async function untilWaiting(count: number): Promise<void> {
  while (service.app.eventWaits.size !== count) await sleep(5)
}

/** A job may have one for a moment. */
async function untilNoConnectionIsHeld(): Promise<void> {
  const latest = performance.now() + 10_000
  for (;;) {
    const { open, idle, waiting } = service.app.db.load()
    if (open === idle && waiting === 0) return
    assert.ok(performance.now() < latest, `${open - idle} are held, ${waiting} wait for one`)
    await sleep(5)
  }
}

const [buyer, other] = await Promise.all([registrar.customer(), registrar.customer()])

describe('events', () => {
  it('name the order, the domain, the price and the term of a purchase', async () => {
    const { name, id } = await buy(buyer, 'events')
    const events = await seen(buyer.key, 'order.*,domain.*', 2)
    const [placed, registered] = events.filter(({ subject }) => subject.id === name)
    assert.ok(placed && registered)
    assert.deepEqual([placed.type, registered.type], ['order.placed', 'domain.registered'])
    assert.deepEqual(
      [registered.data.order, registered.data.amount, registered.data.currency],
      [id, '10.85', 'USD'],
    )
    const { body } = await request('GET', `/v1/domains/${name}`, { token: buyer.key })
    assert.equal(registered.data.expires_at, body.expiry)
    assert.match(registered.id, /^evt_/)
  })

  it('come once each, in pages that follow one another', async () => {
    const customer = await registrar.customer()
    for (const label of ['one', 'two', 'three']) await buy(customer, label)
    const all = await seen(customer.key, 'order.*,domain.*', 6)
    const ids: string[] = []
    let query = 'limit=2&types=order.*,domain.*'
    for (let has_more = true; has_more; ) {
      const { body } = await list({ token: customer.key, query })
      ids.push(...body.events.map(({ id }: Shown) => id))
      has_more = body.has_more
      query = `limit=2&types=order.*,domain.*&cursor=${body.next_cursor}`
    }
    assert.deepEqual(
      ids,
      all.map(({ id }) => id),
    )
    assert.deepEqual((await list({ token: customer.key, query })).body.events, [])
  })

  it('are those of the account alone', async () => {
    await buy(buyer, 'mine')
    await seen(buyer.key, 'domain.*', 1)
    const { body } = await list({ token: other.key, query: 'types=domain.*' })
    assert.deepEqual(body.events, [])
  })

  it('are those that the scopes of the token cover', async () => {
    const { body } = await request('POST', `/v1/customers/${buyer.id}/api-keys`, {
      token: registrar.operatorKey,
      body: { scopes: ['account:read', 'keys:read'] },
    })
    const events = await seen(body.api_key, 'api_key.*,domain.*,payment.*', 1)
    assert.ok(events.every(({ type }) => type.startsWith('api_key.')))
  })

  it('of an unknown type are 422, and the message names it', async () => {
    const { status, text } = await list({ token: buyer.key, query: 'types=domain.bought' })
    assert.equal(status, 422)
    assert.match(text, /domain\.bought/)
  })

  it('hold no secret of a key that was made', async () => {
    const made = await request('POST', `/v1/customers/${buyer.id}/api-keys`, {
      token: registrar.operatorKey,
      body: { scopes: ['account:read'] },
    })
    const events = await seen(buyer.key, 'api_key.created', 2)
    const text = JSON.stringify(events)
    assert.ok(!text.includes(made.body.api_key))
  })
})

describe('a cursor', () => {
  const placeOf = ({ body }: Awaited<ReturnType<typeof list>>) =>
    decodeCursor('list_events', byNumber, body.next_cursor)

  it('of events that do not exist yet is refused', async () => {
    const query = `cursor=${encodeCursor('list_events', byNumber, 999_999_999n)}`
    const { status, body } = await list({ token: buyer.key, query })
    assert.deepEqual([status, body.code], [409, 'events_gone'])
  })

  it('advances even without an event of the account', async () => {
    const customer = await registrar.customer({ funds_cents: 0, contact: false })
    const first = await list({ token: customer.key, query: 'start=now' })
    await buy(buyer, 'elsewhere')
    let moved = first
    for (let turn = 0; turn < 400 && moved.body.next_cursor === first.body.next_cursor; turn += 1) {
      await sleep(100)
      moved = await list({ token: customer.key, query: `cursor=${first.body.next_cursor}` })
    }
    assert.ok(placeOf(moved) > placeOf(first))
  })
})

describe('a wait', () => {
  const nowOf = async (token: string) =>
    `cursor=${(await list({ token, query: 'start=now' })).body.next_cursor}`

  it('ends with the next event', async () => {
    const cursor = await nowOf(other.key)
    const started = performance.now()
    const waiting = list({ token: other.key, query: `${cursor}&wait=20&types=domain.*` })
    await untilWaiting(1)
    const { name } = await buy(other, 'awaited')
    const { body } = await waiting
    assert.deepEqual(
      body.events.map(({ type, subject }: Shown) => [type, subject.id]),
      [['domain.registered', name]],
    )
    assert.ok(performance.now() - started < 15_000)
  })

  it('ends without one when the time is over', async () => {
    const customer = await registrar.customer({ funds_cents: 0, contact: false })
    await seen(customer.key, 'api_key.created', 1)
    const started = performance.now()
    const query = `${await nowOf(customer.key)}&wait=1`
    const { status, body } = await list({ token: customer.key, query })
    const took = performance.now() - started
    assert.deepEqual([status, body.events], [200, []])
    assert.ok(took > 950 && took < 5_000, `${took} ms`)
  })

  it('ends with 401 within 5 s of the revocation of its token', async () => {
    const made = await request('POST', `/v1/customers/${buyer.id}/api-keys`, {
      token: registrar.operatorKey,
      body: { scopes: ['account:read'] },
    })
    const token = made.body.api_key
    const waiting = list({ token, query: 'start=now&wait=50&types=account.*' })
    await untilWaiting(1)
    const path = `/v1/customers/${buyer.id}/api-keys/${made.body.key.id}/revoke`
    assert.equal((await request('POST', path, { token: registrar.operatorKey })).status, 200)
    const revoked_at = performance.now()
    const { status } = await waiting
    assert.equal(status, 401)
    assert.ok(performance.now() - revoked_at < 5_000)
  })

  it('is bounded in number for each customer, and leaves its place when it ends', async () => {
    const customer = await registrar.customer({ funds_cents: 0, contact: false })
    await seen(customer.key, 'api_key.created', 1)
    const wait = { token: customer.key, query: 'start=now&wait=2&types=order.*' }
    const answers = await Promise.all(Array.from({ length: 7 }, () => list(wait)))
    const statuses = answers.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429])
    assert.ok(answers.some(({ body }) => body.code === 'too_many_waits'))
    assert.equal((await list({ ...wait, query: 'start=now&wait=1' })).status, 200)
  })

  it('holds no connection of the database', async () => {
    const customers = await Promise.all(
      Array.from({ length: 6 }, () => registrar.customer({ funds_cents: 0, contact: false })),
    )
    const closing = new AbortController()
    const waits = customers.flatMap(({ key }) =>
      Array.from({ length: 5 }, () =>
        fetch(`${registrar.url}/v1/events?start=now&wait=50&types=order.*`, {
          headers: { authorization: `Bearer ${key}` },
          signal: closing.signal,
        }),
      ),
    )
    const closed = Promise.allSettled(waits)
    try {
      await untilWaiting(30)
      await untilNoConnectionIsHeld()
      assert.equal(service.app.eventWaits.size, 30)
    } finally {
      closing.abort()
      await closed
      await untilWaiting(0)
    }
  })
})

describe('wait_for_operation', () => {
  it('comes at once for an operation that has ended', async () => {
    const { id } = await buy(buyer, 'ended')
    const started = performance.now()
    const { status, body } = await request('GET', `/v1/operations/${id}/wait`, {
      token: buyer.key,
    })
    assert.deepEqual([status, body.state], [200, 'succeeded'])
    assert.ok(performance.now() - started < 3_000)
  })

  it("of another customer's operation is 404", async () => {
    const { id } = await buy(buyer, 'foreign')
    const { status } = await request('GET', `/v1/operations/${id}/wait`, { token: other.key })
    assert.equal(status, 404)
  })
})
