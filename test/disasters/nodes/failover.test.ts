// The primary PostgreSQL dies under load, and its synchronous standby is promoted: the nodes go on
// by themselves, and every purchase that was answered is there. Control: with an asynchronous one
// purchases are lost, and found missing.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSetup, until } from '../support/disaster-setup.ts'
import { readerOf } from '../support/event-reader.ts'
import { openBalancer } from './balancer.ts'
import { startPair } from './postgres-pair.ts'
import { startTraffic } from './traffic.ts'

const everything = process.env.EVERY_CASE === 'true'
const load = everything
  ? { buyers: 12, pause_ms: 5, before_ms: 5_000 }
  : { buyers: 4, pause_ms: 20, before_ms: 700 }
const notEvery = everything ? false : 'with EVERY_CASE=true'
/** A connection that is silent is given up after 12 s, the one that listens after 15 s. */
const within_ms = 20_000
/** For this long the address leads to a standby that only reads. */
const read_only_ms = 300

/** A failover under load, and the state that it leaves. */
async function failOver({ synchronous = true, silent = false }) {
  const pair = await startPair({ synchronous })
  const { privateKey } = generateKeyPairSync('ed25519')
  const key = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  const setup = await startSetup({
    database_url: pair.url,
    settings: { AUDIT_SIGNING_KEY: key },
  })
  const { registrar, query } = setup
  const balancer = await openBalancer()
  after(() => balancer.close())
  const nodes = await Promise.all([setup.node({ worker: true }), setup.node({ worker: true })])
  await Promise.all(nodes.map(({ url }) => balancer.add(url)))
  assert.equal(await pair.isSynchronous(), synchronous)
  const customers = await Promise.all(
    Array.from({ length: load.buyers }, () => registrar.customer({ funds_cents: 10_000_000 })),
  )
  const [talker] = customers
  assert.ok(talker)
  const reader = readerOf(talker, () => nodes[0]?.url ?? '')
  const { url } = balancer
  const keys = customers.map((one) => one.key)
  const traffic = startTraffic({ url, keys, prefix: 'failover', pause_ms: load.pause_ms })
  // Otherwise a failed test would never end.
  after(async () => {
    reader.stop()
    await traffic.stop().catch(() => undefined)
  })
  await sleep(load.before_ms)
  await until(() => traffic.bought.length >= 10, { within_ms, what: 'purchases are answered' })
  if (!synchronous) {
    pair.cutReplication()
    await sleep(load.before_ms)
  }
  const died = performance.now()
  if (silent) pair.silence()
  pair.killPrimary()
  const answered = [...traffic.bought]
  pair.moveAddress()
  await sleep(read_only_ms)
  await pair.promote()
  await until(() => traffic.bought.length > answered.length, {
    within_ms,
    what: 'a purchase is answered again',
  })
  const back_ms = performance.now() - died
  // It is sent to one node to arrive at the other, which shows that it listens again.
  const text = 'after the failover'
  const there = { token: talker.key, body: { body: text } }
  const sent = () => registrar.request('POST', '/v1/support/messages', there)
  await until(async () => (await sent()).status === 201, { within_ms, what: 'a message is sent' })
  await until(() => reader.events.some(({ data }) => data.includes(text)), {
    within_ms,
    what: 'the event arrives',
  })
  reader.stop()
  // An order that was lost refuses its own repetition: the registry has the name already.
  const refused = await traffic.stop().then(
    () => [],
    (error) => [String(error.message)],
  )
  await until(async () => (await setup.openOrders()).length === 0, {
    within_ms: 40_000,
    what: 'every order is closed',
  })
  const found = await query(
    `select domain from orders where state = 'succeeded' and type = 'register'`,
  )
  const kept = new Set(found.map(({ domain }) => domain))
  const lost = answered.filter((domain) => !kept.has(domain))
  return { traffic, answered, refused, lost, back_ms, audit: await setup.audit(), query }
}

/** The log lines of a node: none is a bug, a refusal or a broken connection. */
const ofOutage = /^(GET )?503 (?!balancer)|^409 idempotency_key_in_use$/
const deaths = [
  { silent: false, title: 'whose connections break' },
  { silent: true, title: 'that no longer answers, whose connections stay' },
]

for (const { silent, title } of deaths)
  test(`a primary ${title}: no purchase that was answered is lost, and the nodes go on`, {
    skip: silent && notEvery,
  }, async (context) => {
    const { traffic, answered, refused, lost, back_ms, audit, query } = await failOver({ silent })
    context.diagnostic(
      `${answered.length} purchases before, ${traffic.bought.length} in all, ` +
        `the next one answered ${Math.round(back_ms)} ms after the end of the primary; ` +
        `meanwhile ${[...new Set(traffic.failures)].join(', ')}`,
    )
    assert.deepEqual([lost, refused], [[], []])
    assert.deepEqual(audit.violations, [])
    assert.deepEqual([audit.lost_cents, audit.double_effects], [0, 0])
    assert.deepEqual(await query('select kind, last_error from tasks_dead'), [])
    for (const failure of traffic.failures) assert.match(failure, ofOutage)
  })

test('control: with an asynchronous standby purchases are lost, and the auditor finds it', {
  skip: notEvery,
}, async (context) => {
  const { lost, audit } = await failOver({ synchronous: false })
  context.diagnostic(`${lost.length} purchases lost, ${audit.violations.length} violations`)
  assert.ok(lost.length > 0)
  assert.ok(audit.violations.length > 0)
})
