// Event streams: order and resumption over two nodes, limits, and events that cannot be forged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { untilBlocked } from '../../../../test/support/database.ts'
import type { EventClient } from '../../../../test/support/streams/event-client.ts'
import { bodiesOf, idsOf, twoNodes } from './streams.fixture.ts'

const { one, two, node, open, closeAll, write, reply, newCustomer, operatorKey } = await twoNodes()
const { database_url } = node

test('messages and reads arrive at both nodes in order, each with an id', async () => {
  const { id, key } = await newCustomer()
  const streams = [await open(one, key), await open(two, key)]
  await write(one, key, 'question')
  await reply(two, id, 'answer')
  await one.request('POST', '/v1/support/messages/read', { token: key })
  for (const stream of streams) {
    const events = await stream.until(4)
    assert.deepEqual(
      events.map(({ event, id }) => `${id} ${event}`),
      ['1 message', '2 read', '3 message', '4 read'],
    )
    assert.deepEqual(bodiesOf(events), ['question', 'answer'])
    const [question, read, answer, last] = events.map(({ data }) => JSON.parse(data))
    assert.deepEqual([read.reader, read.up_to], ['operator', question.id])
    assert.deepEqual([last.reader, last.up_to], ['customer', answer.id])
    assert.deepEqual(Object.keys(read), ['reader', 'up_to', 'read_at'])
    assert.equal(stream.headers['content-type'], 'text/event-stream')
    assert.equal(stream.headers['cache-control'], 'no-store, no-transform')
    assert.equal(stream.headers['x-accel-buffering'], 'no')
    assert.ok(stream.headers['x-request-id'] && stream.headers.ratelimit)
    assert.deepEqual(idsOf(stream.heartbeats.slice(0, 1)), [0])
  }
  await closeAll()
})

test('a text cannot begin an event or a field of its own', async () => {
  const { key } = await newCustomer()
  const stream = await open(one, key)
  const body = 'x\n\nevent: read\nid: 99\ndata: {}\r\n\r\ndata: y\u2028\rretry: 1'
  await write(one, key, body)
  await write(one, key, 'last')
  const events = await stream.until(2)
  assert.deepEqual(idsOf(events), [1, 2])
  assert.deepEqual(bodiesOf(events), [body, 'last'])
  await closeAll()
})

test('a Last-Event-ID that is none of ours begins from now on', async () => {
  const { key } = await newCustomer()
  for (const body of ['1', '2']) await write(one, key, body)
  const ids = ['x', 'evt_01m8fg5g1qf3ytcscesw55m5st', '9'.repeat(40), '-1', '1.5', ' ', '\u00fc']
  for (const id of ids) {
    const stream = await open(two, key, { query: '?after=0', headers: { 'last-event-id': id } })
    assert.equal(stream.status, 200, id)
    await write(one, key, `now ${id.length}`)
    const expected = id.trim() === '' ? ['1', '2'] : [`now ${id.length}`]
    const events = await stream.until(expected.length)
    assert.deepEqual(bodiesOf(events).slice(0, expected.length), expected, id)
    await closeAll()
  }
})

test('a stream continues after an event: by query, and by header, which counts first', async () => {
  const { key } = await newCustomer()
  for (const body of ['1', '2', '3']) await write(one, key, body)
  const cases: [string, Record<string, string>, string[]][] = [
    ['?after=0', {}, ['1', '2', '3', 'now']],
    ['?after=2', {}, ['3', 'now']],
    ['?after=0', { 'last-event-id': '2' }, ['3', 'now']],
    ['', { 'last-event-id': '1' }, ['2', '3', 'now']],
    ['', {}, ['now']],
    ['?after=3', {}, ['now']],
    // Ids of another database, and invented ones.
    ['?after=999999', {}, ['now']],
  ]
  const streams: EventClient[] = []
  for (const [query, headers] of cases.slice(0, 5))
    streams.push(await open(two, key, { query, headers }))
  await write(one, key, 'now')
  for (const [i, stream] of streams.entries()) {
    const expected = cases[i]?.[2] ?? []
    assert.deepEqual(bodiesOf(await stream.until(expected.length)), expected, `case ${i}`)
  }
  await closeAll()
  const [late] = await Promise.all([open(two, key, { query: '?after=999999' })])
  assert.ok(late)
  await write(one, key, 'later')
  assert.deepEqual(bodiesOf(await late.until(1)), ['later'])
  await closeAll()
  for (const query of ['?after=x', '?after=-1', '?after=1.5', '?limit=1']) {
    const refused = await open(one, key, { query })
    assert.equal(refused.status, 422, query)
  }
})

test('a transaction that commits late holds the later ones back, and none is skipped', async () => {
  const { id, key } = await newCustomer()
  await write(one, key, 'first')
  const streams = [await open(one, key), await open(two, key)]
  const client = new pg.Client({ connectionString: database_url })
  await client.connect()
  await client.query('begin')
  await client.query('select support_post($1, $2, $3, $4, null)', [
    ...[id, `msg_${'0'.repeat(26)}`, 'operator', 'held open'],
  ])
  const later = write(two, key, 'sent meanwhile')
  await untilBlocked(async (text) => (await client.query(text)).rows)
  const bystander = await newCustomer()
  const others = [await open(one, bystander.key), await open(two, bystander.key)]
  await write(one, bystander.key, 'of another')
  for (const stream of others) assert.deepEqual(bodiesOf(await stream.until(1)), ['of another'])
  for (const { events } of streams) assert.deepEqual(events, [])
  await client.query('commit')
  await client.end()
  await later
  for (const stream of streams) {
    const events = await stream.until(3)
    assert.deepEqual(idsOf(events), [2, 3, 4])
    assert.deepEqual(bodiesOf(events), ['held open', 'sent meanwhile'])
  }
  await closeAll()
})

test('a customer has five streams over all nodes; one that was closed gives its place', async () => {
  const { key } = await newCustomer()
  const other = await newCustomer()
  const streams = await Promise.all(
    Array.from({ length: 9 }, (_, i) => open(i % 2 === 0 ? one : two, key)),
  )
  const opened = streams.filter(({ status }) => status === 200)
  const refused = streams.filter(({ status }) => status === 429)
  assert.deepEqual([opened.length, refused.length], [5, 4])
  assert.equal(JSON.parse(refused[0]?.text ?? '').code, 'too_many_support_streams')
  assert.ok(Number(refused[0]?.headers['retry-after']) > 0)
  assert.equal((await open(one, other.key)).status, 200)
  opened[0]?.close()
  const deadline = Date.now() + 5_000
  for (let status = 0; status !== 200; ) {
    assert.ok(Date.now() < deadline, 'the place is not given')
    status = (await open(two, key)).status
  }
  await closeAll()
})

test('a node has as many streams as its setting says; HEAD takes none', async () => {
  const customers = await Promise.all([1, 2, 3].map(newCustomer))
  for (let i = 0; i < 4; i += 1)
    for (const { key } of customers) assert.equal((await open(one, key)).status, 200)
  const full = await open(one, customers[0]?.key ?? '')
  assert.deepEqual([full.status, JSON.parse(full.text).code], [503, 'support_streams_full'])
  assert.ok(Number(full.headers['retry-after']) > 0)
  assert.equal((await open(two, customers[0]?.key ?? '')).status, 200)
  await closeAll()
  for (let i = 0; i < 15; i += 1) {
    const { status } = await one.request('HEAD', '/v1/support/events', {
      token: customers[0]?.key ?? '',
    })
    assert.equal(status, 200)
    // Its place is given a moment after the answer.
    await closeAll()
  }
  assert.equal(one.service.app.supportStreams.size, 0)
})

test('it needs a token with the scope, of a customer', async () => {
  const { key } = await one.customer({ funds_cents: 0, contact: false, scopes: ['domains:read'] })
  assert.equal((await open(one, '')).status, 401)
  assert.equal((await open(one, `ar_test_${'x'.repeat(40)}`)).status, 401)
  assert.equal((await open(one, key)).status, 403)
  assert.equal((await open(one, operatorKey)).status, 403)
})
