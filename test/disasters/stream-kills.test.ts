// Event streams over nodes that are killed: clients resume at another node from their last event,
// and get every event once and in order. DISASTER_SEED repeats a run; STREAM_KILLS is its length.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestCustomer } from '../support/service.ts'
import { startSetup } from './support/disaster-setup.ts'
import { readerOf } from './support/event-reader.ts'
import type { RunningNode } from './support/nodes.ts'
import { type Chance, chanceOf } from './support/seeded-random.ts'

const kills = Number(process.env.STREAM_KILLS ?? 5)
const seed = Number(process.env.DISASTER_SEED ?? 20_261_123)
const customers_count = 4
const setup = await startSetup()
const { registrar, query } = setup

/** Nodes that take streams and requests now. */
const nodes: RunningNode[] = []
const living = (chance: Chance) => chance.pick(nodes).url

/** Sends until there is an answer, at any node, with one key: once. */
async function write(customer: TestCustomer, body: string, chance: Chance): Promise<void> {
  const isReply = chance.below(3) === 0
  const path = isReply ? '/v1/internal/support/messages' : '/v1/support/messages'
  const token = isReply ? registrar.operatorKey : customer.key
  const sent = JSON.stringify({ body, ...(isReply && { customer_id: customer.id }) })
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    'idempotency-key': body,
  }
  for (;;) {
    const url = living(chance) + path
    const answer = await fetch(url, { method: 'POST', headers, body: sent }).catch(() => null)
    if (answer?.status === 201) return
    if (answer !== null && answer.status < 500) assert.fail(await answer.text())
    await sleep(50)
  }
}

test(`clients miss nothing and get nothing twice over ${kills} kills (seed ${seed})`, async (context) => {
  const chance = chanceOf(seed)
  const customers = await Promise.all(
    Array.from({ length: customers_count }, () => registrar.customer({ funds_cents: 0 })),
  )
  nodes.push(...(await Promise.all([setup.node(), setup.node()])))
  const readers = customers.map((customer) => readerOf(customer, () => living(chance)))
  let isWriting = true
  const written = customers.map(async (customer, at) => {
    for (let number = 0; isWriting; number += 1) {
      await write(customer, `message-${at}-${number}`, chance)
      await sleep(chance.below(40))
    }
  })
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(200 + chance.below(800))
    const [victim] = nodes.splice(chance.below(nodes.length), 1)
    await victim?.kill()
    nodes.push(await setup.node())
  }
  await sleep(300)
  isWriting = false
  await Promise.all(written)
  for (const [at, { id }] of customers.entries()) {
    const facts = await query(
      `select t.last_event::int as last, array_agg(m.body order by m.event) as bodies
         from support_threads t join support_messages m using (customer_id)
        where t.customer_id = $1 group by t.customer_id`,
      [id],
    )
    const [{ last, bodies } = { last: 0, bodies: null }] = facts
    const reader = readers[at]
    assert.ok(reader && Number(last) > 10 && Array.isArray(bodies))
    const deadline = Date.now() + 30_000
    while (Number(reader.events.at(-1)?.id ?? 0) < Number(last)) {
      assert.ok(Date.now() < deadline, `${reader.events.at(-1)?.id} of ${last} events came`)
      await sleep(50)
    }
    reader.stop()
    assert.deepEqual(
      reader.events.map(({ id }) => Number(id)),
      Array.from({ length: Number(last) }, (_, i) => i + 1),
    )
    const messages = reader.events.filter(({ event }) => event === 'message')
    assert.deepEqual(
      messages.map(({ data }) => JSON.parse(data).body),
      bodies,
    )
    assert.equal(new Set(bodies).size, bodies.length, 'each is stored once')
    context.diagnostic(`${last} events, ${reader.resumed} times resumed, ${reader.refused} refused`)
  }
  assert.ok(readers.some(({ resumed }) => resumed > 0))
})
