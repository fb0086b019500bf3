// Webhooks over nodes that are killed at each step of a delivery, to receivers that fail for a part
// of the time: they get every event at least once, each time with the same id and body, and in
// order. bin/webhook-kills runs it with larger numbers.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { scopes } from '../../src/app.ts'
import type { TestCustomer } from '../support/service.ts'
import { startSetup, until } from './support/disaster-setup.ts'
import type { RunningNode } from './support/nodes.ts'
import { type Chance, chanceOf } from './support/seeded-random.ts'
import {
  checkEndpoint,
  type Delivery,
  type Figures,
  idOf,
  type RecordedEndpoint,
  recordedEndpoint,
  type Uptime,
} from './support/webhook-record.ts'

const kills = Number(process.env.WEBHOOK_KILLS ?? 6)
const seed = Number(process.env.DISASTER_SEED ?? 20_261_123)
/** A node kills itself at the first three, and is killed from outside at any moment otherwise. */
const ways = ['webhook_claimed', 'webhook_sent', 'webhook_recorded', 'any moment'] as const
const setup = await startSetup({ settings: { ALLOW_LOOPBACK_WEBHOOKS: 'true' } })
const { registrar, query } = setup

type Endpoint = RecordedEndpoint & { id: string }
type Owned = { customer: TestCustomer; domain: string; endpoints: Endpoint[]; done: string[] }
/**
 * An event is refused at most this often, because a second refusal means five minutes until the
 * third attempt.
 */
const most_refusals = kills >= 20 ? 2 : 1
const uptimes: Uptime[] = []

async function send({ key }: TestCustomer, path: string, body: object) {
  const answer = await registrar.request('POST', path, { token: key, body })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

async function endpointOf(customer: TestCustomer, chance: Chance): Promise<Endpoint> {
  const recorded = await recordedEndpoint(chance)
  after(recorded.close)
  const body = { url: recorded.url, types: ['order.*', 'domain.*'] }
  const { webhook } = await send(customer, '/v1/webhooks', body)
  return Object.assign(recorded, { id: String(webhook.id) })
}

/** A customer with a domain, and two endpoints that were there before it. */
async function ownedBy(label: string, chance: Chance): Promise<Owned> {
  const customer = await registrar.customer({ scopes: [...scopes] })
  const endpoints = [await endpointOf(customer, chance), await endpointOf(customer, chance)]
  const domain = `hook-${label}.com`
  await send(customer, '/v1/domains', { domain })
  return { customer, domain, endpoints, done: [] }
}

/** Changes of one domain, whose events must arrive in this order. */
async function change({ customer, domain, done }: Owned): Promise<void> {
  for (const step of ['unlock', 'lock']) {
    await send(customer, `/v1/domains/${domain}/${step}`, {})
    done.push(`domain.${step}ed`)
  }
}

/** The leases of nodes that are dead end at once, and the pauses after them. */
async function endLeases(): Promise<void> {
  await query(
    `update tasks set run_at = clock_timestamp(),
            lease_until = lease_until - interval '1 hour'
      where kind = 'deliver_webhook'`,
  )
  await query(
    `update schedules set next_at = clock_timestamp(),
            lease_until = case when lease_until is null then null else clock_timestamp() end`,
  )
}

/** A node that works, until it is dead; its time counts. */
async function working(options: { crash_at?: string }, work: (node: RunningNode) => Promise<void>) {
  const node = await setup.node({ worker: true, ...options })
  const from_ms = performance.now()
  await work(node)
  await node.kill()
  uptimes.push({ from_ms, to_ms: performance.now() })
}

/** One node that works on deliveries until it is dead. */
async function killOne(way: (typeof ways)[number], owned: readonly Owned[], chance: Chance) {
  let changes: Promise<unknown> = Promise.resolve()
  const begin = () => {
    changes = Promise.all(owned.map(change))
  }
  if (way === 'any moment')
    await working({}, async () => {
      begin()
      await sleep(300 + chance.below(900))
    })
  else {
    begin()
    await working({ crash_at: way }, async (node) => {
      const isDead = await Promise.race([node.died, sleep(20_000, false, { ref: false })])
      assert.ok(isDead, `it dies at ${way}`)
    })
  }
  await changes
  await endLeases()
}

/** The deliveries in the order of their events. */
async function deliveriesTo({ id }: Endpoint): Promise<Delivery[]> {
  const rows = await query(
    `select e.id as event_id, d.created_at, d.first_failed_at
       from webhooks w
       join events e on e.customer_id = w.customer_id and e.type ~ '^(order|domain)[.]'
       left join webhook_deliveries d on d.webhook_id = w.id and d.event_id = e.id
      where w.id = $1 order by e.pos`,
    [id],
  )
  return rows.map(({ event_id, created_at, first_failed_at }) => ({
    event_id: String(event_id),
    created_at: created_at instanceof Date ? created_at : new Date(Number.NaN),
    first_failed_at: first_failed_at instanceof Date ? first_failed_at : null,
  }))
}

async function open({ id }: Endpoint): Promise<number> {
  const [row] = await query(
    `select count(*)::int as open from webhook_deliveries
      where webhook_id = $1 and state <> 'delivered'`,
    [id],
  )
  return Number(row?.open)
}

const isChange = (type: string) => /^domain[.](un)?locked$/.test(type)

async function assertDelivered({ domain, done }: Owned, endpoint: Endpoint): Promise<Figures> {
  const figures = checkEndpoint(endpoint, { deliveries: await deliveriesTo(endpoint), uptimes })
  const bodies = new Map(endpoint.attempts.map((one) => [idOf(one), JSON.parse(one.body)]))
  const ofDomain = [...bodies.values()].filter(({ subject }) => subject.id === domain)
  const changes = ofDomain.map(({ type }) => String(type)).filter(isChange)
  assert.deepEqual(changes, done, 'an event for each change that was made')
  return figures
}

/** All changes have arrived, and nothing is open. */
async function hasAll({ done, endpoints }: Owned): Promise<boolean> {
  for (const endpoint of endpoints) {
    const came = new Set(endpoint.attempts.map(idOf)).size
    // The events of the purchase come before.
    if (came < done.length + 2 || (await open(endpoint)) > 0) return false
  }
  return true
}

async function areDelivered(owned: readonly Owned[], within_ms: number): Promise<void> {
  const all = async () => {
    for (const one of owned) if (!(await hasAll(one))) return false
    return true
  }
  await until(all, { within_ms, what: 'all events are delivered' })
}

const timeout = 120_000 + kills * 30_000

test(`each event arrives over ${kills} kills (seed ${seed})`, { timeout }, async (context) => {
  const chance = chanceOf(seed)
  const owned = await Promise.all([ownedBy('1', chance), ownedBy('2', chance)])
  const endpoints = owned.flatMap((one) => one.endpoints)
  for (const endpoint of endpoints)
    endpoint.accepts = (refused) => refused >= most_refusals || chance.below(4) > 0
  const turns = Array.from({ length: kills }, (_, at) => ways[at % ways.length] ?? 'any moment')
  for (const way of chance.shuffled(turns)) await killOne(way, owned, chance)
  for (const endpoint of endpoints) endpoint.accepts = () => true
  await working({}, () => areDelivered(owned, most_refusals > 1 ? 400_000 : 60_000))
  const figures: Figures[] = []
  for (const one of owned)
    for (const endpoint of one.endpoints) figures.push(await assertDelivered(one, endpoint))
  const sum = (name: keyof Figures) => figures.reduce((all, one) => all + one[name], 0)
  const longest_ms = Math.max(...figures.map((one) => one.held_ms))
  context.diagnostic(
    `${sum('events')} deliveries in ${sum('attempts')} attempts: ${sum('refused')} refused, ` +
      `${sum('duplicates')} duplicates; the longest hold was ${Math.round(longest_ms)} ms, ` +
      `${sum('passed')} passed an event that had failed for a minute`,
  )
  // A node that dies between the response and its record must have caused one.
  assert.ok(sum('duplicates') > 0 || !turns.includes('webhook_sent'))
  assert.ok(sum('refused') > 0)
})

test('the check finds a delivery that is lost, and deliveries out of order', async () => {
  const owned = await ownedBy('control', chanceOf(seed))
  const [lost, turned] = owned.endpoints
  assert.ok(lost && turned)
  let isHealthy = false
  for (const endpoint of owned.endpoints) endpoint.accepts = () => isHealthy
  await working({}, async () => {
    await change(owned)
    const pending = async () => (await Promise.all(owned.endpoints.map(open))).join()
    await until(async () => (await pending()) === '4,4', { within_ms: 20_000, what: 'all wait' })
    const ids = (await deliveriesTo(lost)).map(({ event_id }) => event_id)
    const last = `select max(pos) from webhook_deliveries where webhook_id = $1`
    await query(`delete from webhook_deliveries where webhook_id = $1 and pos = (${last})`, [
      lost.id,
    ])
    await query(
      `update webhook_deliveries set pos = pos + 1000 where webhook_id = $1 and event_id = $2`,
      [turned.id, ids[2]],
    )
    isHealthy = true
    const rest = async () => (await pending()) === '0,0'
    await until(rest, { within_ms: 30_000, what: 'the rest is delivered' })
  })
  const missing = /first attempts are in order, and none is missing/
  await assert.rejects(assertDelivered(owned, lost), missing)
  await assert.rejects(assertDelivered(owned, turned), missing)
})
