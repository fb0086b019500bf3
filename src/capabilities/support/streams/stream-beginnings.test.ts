// Event streams whose client goes while they begin, or whose registration fails: none keeps its
// place.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { untilBlocked } from '../../../../test/support/database.ts'
import { twoNodes } from './streams.fixture.ts'

const nodes = await twoNodes()
const { one, rows, newCustomer, open, closeAll } = nodes
const places = () => one.service.app.supportStreams.size

const ask = (key: string, path = '/v1/support/events') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`

/** One that sends these octets; `leave` ends when the server knows that it has gone. */
async function client(octets: string): Promise<{ leave: () => Promise<void> }> {
  const accepted = once(one.service.server.server, 'connection')
  const socket = connect(Number(new URL(one.url).port), '127.0.0.1')
  const [theirs] = await accepted
  socket.write(octets)
  const closed = once(theirs, 'close')
  return {
    async leave() {
      socket.destroy()
      await closed
    },
  }
}

/** While the registration of the customer's streams waits for a lock. */
async function whileHeld(customer_id: string, work: (holder: pg.Client) => Promise<void>) {
  const holder = new pg.Client(one.service.settings.database_url ?? '')
  await holder.connect()
  try {
    await holder.query('begin')
    const lock = `select pg_advisory_xact_lock(hashtextextended('support_streams ' || $1, 0))`
    await holder.query(lock, [customer_id])
    await work(holder)
  } finally {
    await holder.end()
  }
}

async function hasAllPlaces(key: string): Promise<void> {
  while (places() > 0) await sleep(5)
  const again = await Promise.all(Array.from({ length: 5 }, () => open(one, key)))
  assert.deepEqual(
    again.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
  await closeAll()
}

test('a stream whose client goes while it begins gives its place back', async () => {
  const { id, key } = await newCustomer()
  const before = await rows('select from support_streams')
  assert.deepEqual([places(), before], [0, []])
  await whileHeld(id, async (holder) => {
    const clients = []
    for (let i = 0; i < 5; i += 1) clients.push(await client(ask(key)))
    await untilBlocked(async (text) => (await holder.query(text)).rows)
    while (places() < 5) await sleep(5)
    for (const { leave } of clients) await leave()
    assert.equal(places(), 5)
  })
  await hasAllPlaces(key)
})

test('a stream whose connection ends behind another response gives its place back', async () => {
  const { key } = await newCustomer()
  // The first response waits for events, so the second is not sent.
  const { leave } = await client(ask(key, '/v1/events?start=now&wait=50') + ask(key))
  while (places() === 0) await sleep(5)
  await leave()
  await hasAllPlaces(key)
})

test('a registration that the database refuses leaves no place taken', async () => {
  const { id, key } = await newCustomer()
  await whileHeld(id, async (holder) => {
    const refused = open(one, key)
    await untilBlocked(async (text) => (await holder.query(text)).rows)
    await holder.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    )
    assert.equal((await refused).status, 503)
  })
  await hasAllPlaces(key)
})
