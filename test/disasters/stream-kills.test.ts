// Event streams over nodes that are killed: clients resume at another node from their last event,
// and get every event once and in order. bin/stream-kills runs it with larger numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestCustomer } from '../support/service.ts'
import { startSetup } from './support/disaster-setup.ts'
import { type Reader, readerOf } from './support/event-reader.ts'
import type { RunningNode } from './support/nodes.ts'
import { type Chance, chanceOf } from './support/seeded-random.ts'

const kills = Number(process.env.STREAM_KILLS ?? 5)
const seed = Number(process.env.DISASTER_SEED ?? 20_261_123)
const streams = Number(process.env.STREAMS ?? 4)
/**
 * The most that one customer may have, because the streams of a killed node count until its lease
 * ends.
 */
const of_customer = streams > 4 ? 5 : 1
const writers = 4
const setup = await startSetup()
const { registrar, query } = setup

/** The nodes that accept streams and requests now. */
const nodes: RunningNode[] = []
const living = (chance: Chance) => chance.pick(nodes).url

/** Sends until there is an answer, at any node and with one key, so that it is posted once. */
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

async function newCustomers(count: number): Promise<TestCustomer[]> {
  const made: TestCustomer[] = []
  let asked = 0
  const take = async () => {
    while (asked < count) {
      asked += 1
      made.push(await registrar.customer({ funds_cents: 0, contact: false }))
    }
  }
  await Promise.all(Array.from({ length: writers }, take))
  return made
}

/** Throws an Error after `most_ms`. */
async function until(isSo: () => boolean, words: () => string, most_ms: number): Promise<void> {
  const deadline = Date.now() + most_ms
  while (!isSo()) {
    assert.ok(Date.now() < deadline, words())
    await sleep(50)
  }
}

/** Each writes alternately to its share of the customers, twice and then until the test ends. */
function writeTo(customers: readonly TestCustomer[], chance: Chance, isOver: () => boolean) {
  return Array.from({ length: writers }, async (_, first) => {
    const goesOn = (number: number) => number < 2 || !isOver()
    for (let number = 0; goesOn(number); number += 1)
      for (let at = first; at < customers.length && goesOn(number); at += writers) {
        const customer = customers[at]
        if (customer) await write(customer, `message-${at}-${number}`, chance)
        await sleep(chance.below(40))
      }
  })
}

/** Each of the customer's readers has every event once, in the order of the database. */
async function assertComplete({ id }: TestCustomer, readers: readonly Reader[]): Promise<number> {
  const facts = await query(
    `select t.last_event::int as last, array_agg(m.body order by m.event) as bodies
       from support_threads t join support_messages m using (customer_id)
      where t.customer_id = $1 group by t.customer_id`,
    [id],
  )
  const [{ last, bodies } = { last: 0, bodies: null }] = facts
  assert.ok(Number(last) > 0 && Array.isArray(bodies))
  assert.equal(new Set(bodies).size, bodies.length, 'each is stored once')
  for (const reader of readers) {
    const newest = () => Number(reader.events.at(-1)?.id ?? 0)
    await until(
      () => newest() >= Number(last),
      () => `${newest()} of ${last} events came`,
      60_000,
    )
    reader.stop()
    assert.deepEqual(
      reader.events.map((event) => Number(event.id)),
      Array.from({ length: Number(last) }, (_, i) => i + 1),
    )
    const messages = reader.events.filter(({ event }) => event === 'message')
    assert.deepEqual(
      messages.map(({ data }) => JSON.parse(data).body),
      bodies,
    )
  }
  return Number(last)
}

const title = `${streams} streams miss and repeat nothing over ${kills} kills (seed ${seed})`
test(title, { timeout: 900_000 }, async (context) => {
  const chance = chanceOf(seed)
  const customers = await newCustomers(Math.ceil(streams / of_customer))
  nodes.push(...(await Promise.all([setup.node(), setup.node()])))
  const readersOf = new Map(
    customers.map((customer) => {
      const readers = Array.from({ length: of_customer }, () =>
        readerOf(customer, () => living(chance)),
      )
      return [customer, readers]
    }),
  )
  const readers = [...readersOf.values()].flat()
  context.after(() => {
    for (const reader of readers) reader.stop()
  })
  const opened = () => readers.filter(({ resumed }) => resumed >= 0).length
  await until(
    () => opened() === readers.length,
    () => `${opened()} streams are open`,
    60_000,
  )
  let isOver = false
  const written = writeTo(customers, chance, () => isOver)
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(200 + chance.below(800))
    const [victim] = nodes.splice(chance.below(nodes.length), 1)
    await victim?.kill()
    nodes.push(await setup.node())
  }
  const killed = performance.now()
  await sleep(300)
  isOver = true
  await Promise.all(written)
  let events = 0
  for (const [customer, own] of readersOf)
    events += own.length * (await assertComplete(customer, own))
  const resumed = readers.reduce((sum, one) => sum + Math.max(0, one.resumed), 0)
  const refused = readers.reduce((sum, one) => sum + one.refused, 0)
  const seconds = ((performance.now() - killed) / 1_000).toFixed(1)
  context.diagnostic(
    `${readers.length} streams got ${events} events, resumed ${resumed} times and were refused ` +
      `${refused} times; all had all of them ${seconds} s after the last kill, with the writing`,
  )
  assert.ok(resumed > 0)
})
