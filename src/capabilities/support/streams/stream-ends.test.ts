// The end of event streams: with the token, for a slow reader, with the lease or the node.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../../../../test/support/service.ts'
import { sessionOf } from '../../../../test/support/sign-in.ts'
import { openEvents } from '../../../../test/support/streams/event-client.ts'
import { bodiesOf, idsOf, twoNodes } from './streams.fixture.ts'

const nodes = await twoNodes()
const { one, two, node, rows, open, closeAll, write, reply, newCustomer, operatorKey } = nodes

type Ending = { name: string; end: (owner: Owner) => Promise<unknown> }
type Owner = { id: string; key: string; key_id: number; session: string }
const endings: Ending[] = [
  {
    name: 'its key is revoked',
    end: ({ id, key_id }) =>
      two.request('POST', `/v1/customers/${id}/api-keys/${key_id}/revoke`, { token: operatorKey }),
  },
  {
    name: 'its session logs out',
    end: ({ session }) => two.request('POST', '/v1/dashboard/logout', { token: session }),
  },
  {
    name: 'the account is closed, without a notification',
    end: ({ id }) => rows("update customers set status = 'closed' where id = $1", [id]),
  },
  {
    name: 'all sessions and keys end, without a notification',
    end: async ({ id }) => {
      await rows('update sessions set ended_at = now() where customer_id = $1', [id])
      await rows('update api_keys set revoked_at = now() where customer_id = $1', [id])
    },
  },
]
for (const { name, end } of endings)
  test(`a stream ends within 5 s when ${name}, and nothing comes after`, async () => {
    const customer = await newCustomer()
    const session = await sessionOf(one, customer)
    const byKey = await open(one, customer.key)
    const bySession = await open(two, session)
    assert.deepEqual([byKey.status, bySession.status], [200, 200])
    const expected = name.startsWith('its key')
      ? [byKey]
      : name.startsWith('its session')
        ? [bySession]
        : [byKey, bySession]
    const began = performance.now()
    await end({ ...customer, session })
    await Promise.all(expected.map(({ ended }) => ended))
    const ms = performance.now() - began
    assert.ok(ms < 5_000, `${ms} ms`)
    if (expected.length === 1) {
      const left = expected[0] === byKey ? bySession : byKey
      await reply(one, customer.id, 'still there')
      assert.equal(bodiesOf(await left.until(1)).length, 1)
      assert.deepEqual(expected[0]?.events, [])
    }
    await closeAll()
  })

test('a client that reads too slowly is dropped, and others are not held up', async () => {
  const { id, key } = await newCustomer()
  const slow = await openEvents(`${one.url}/v1/support/events`, { token: key, paused: true })
  const quick = await open(one, key)
  // The kernel takes some megabytes for a connection at first.
  const body = '😀'.repeat(4_000)
  let dropped = false
  void slow.ended.then(() => {
    dropped = true
  })
  let sent = 0
  const isDropped = () => one.logs.some((line) => line.includes('reads too slowly'))
  // Then a message now and then: it is dropped some seconds after the first that waits.
  for (const end = Date.now() + 30_000; !isDropped() && Date.now() < end; ) {
    const count = sent < 600 ? 50 : 1
    await rows(
      `select support_post($1, 'msg_' || md5(random()::text), 'operator', $2, null)
         from generate_series(1, $3)`,
      [id, body, count],
    )
    sent += count
    await quick.until(sent)
    if (count === 1) await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.ok(isDropped(), `${sent} messages`)
  assert.deepEqual(
    idsOf(quick.events),
    Array.from({ length: sent }, (_, i) => i + 1),
  )
  slow.close()
  await slow.ended
  assert.ok(dropped)
  await closeAll()
})

test('a node whose lease expired ends its streams, which resume', async () => {
  const { key } = await newCustomer()
  const stream = await open(one, key)
  await write(one, key, 'before')
  await stream.until(1)
  await rows("update support_stream_nodes set lease_until = now() - interval '1 second'")
  await stream.ended
  await write(two, key, 'between')
  const again = await open(one, key, { headers: { 'last-event-id': stream.lastId() } })
  assert.deepEqual(bodiesOf(await again.until(1)), ['between'])
  await closeAll()
})

test('a node that stops ends its streams at once, and leaves no row', async () => {
  const { key } = await newCustomer()
  const count = async () => (await rows('select from support_stream_nodes')).length
  const before = await count()
  const third = await startService(node)
  const stream = await open(third, key)
  await write(one, key, 'before')
  await stream.until(1)
  await third.service.stop()
  await stream.ended
  await write(two, key, 'between')
  const again = await open(two, key, {
    query: '?after=0',
    headers: { 'last-event-id': stream.lastId() },
  })
  await write(one, key, 'after')
  assert.deepEqual(bodiesOf(await again.until(2)), ['between', 'after'])
  assert.equal(await count(), before)
  await closeAll()
})

test('a node that stops while an event is to be read has nothing left to do', async () => {
  const { id } = await newCustomer()
  const third = await startService(node)
  const { supportStreams } = third.service.app
  const stream = await supportStreams.open(id, null)
  const { stopped } = stream.connect({ write: () => true, end: () => stopped() })
  await supportStreams.close()
  // Work that schedules itself again and again would be there in each turn of the event loop.
  let busy_turns = 0
  for (let turn = 0; turn < 20; turn += 1) {
    await sleep(1)
    if (process.getActiveResourcesInfo().includes('Immediate')) busy_turns += 1
  }
  assert.ok(busy_turns < 20, 'the event loop never rests')
})
