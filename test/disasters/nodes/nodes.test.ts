// Three nodes behind a balancer, under load all the time: each limit holds over all of them, one is
// killed, and all are replaced by the next version. Nothing is lost, doubled or left unanswered.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { exchange } from '../../support/http.ts'
import type { TestCustomer } from '../../support/service.ts'
import { recentSessionOf } from '../../support/sign-in.ts'
import { until } from '../support/disaster-setup.ts'
import { readerOf } from '../support/event-reader.ts'
import { second } from '../support/next-version.ts'
import { anonymous_quota, startCluster } from './cluster.ts'
import { insist, startTraffic } from './traffic.ts'

const everything = process.env.EVERY_CASE === 'true'
const scopes = ['account:read', 'domains:purchase', 'domains:read', 'domains:write', 'keys:write']
const cluster = await startCluster(3)
const { balancer, nodes, registrar, query } = cluster
const { url } = balancer

const buyers = await Promise.all(
  Array.from({ length: everything ? 8 : 3 }, () =>
    registrar.customer({ funds_cents: 10_000_000, scopes }),
  ),
)
const pause_ms = everything ? 10 : 60
const traffic = startTraffic({ url, keys: buyers.map(({ key }) => key), prefix: 'load', pause_ms })

/**
 * Messages of a customer, sent to each node in turn, and a stream of them: at first at the node
 * that is killed below, and from then on at any.
 */
const talker = await registrar.customer({ funds_cents: 0 })
const [victim] = nodes
const reader = readerOf(talker, () => (victim && nodes.includes(victim) ? victim.url : url))
let talking = true
const posted: string[] = []
const talk = (async () => {
  for (let number = 0; talking; number += 1) {
    const body = `message-${number}`
    const sent = () =>
      ask('POST', '/v1/support/messages', {
        token: talker.key,
        body: { body },
        headers: { 'idempotency-key': body },
      }).catch(() => null)
    while ((await sent())?.status !== 201) await sleep(50)
    posted.push(body)
    await sleep(100)
  }
})()
talk.catch(() => undefined)

type Asked = { token?: string; body?: object; headers?: Record<string, string>; at?: string }
async function ask(method: string, path: string, { token, body, headers, at = url }: Asked) {
  const { status, text } = await exchange(at + path, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status, text, body: text === '' ? {} : JSON.parse(text) }
}

async function keyOf(owner: TestCustomer, token: string, limits: object) {
  const path = `/v1/customers/${owner.id}/api-keys`
  const made = await ask('POST', path, { token, body: { scopes, ...limits } })
  assert.equal(made.status, 201, made.text)
  return { token: String(made.body.api_key), id: String(made.body.key.id) }
}

/**
 * Sends one request from an address that the tests do not use. Returns its status and the seconds
 * until its quota is renewed.
 */
function fromElsewhere(): Promise<{ status: number; resets_s: number }> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/v1/state-model`, { localAddress: '127.0.0.2' }, (answer) => {
      const resets_s = Number(/t=(\d+)/.exec(String(answer.headers.ratelimit))?.[1])
      answer.resume().on('end', () => resolve({ status: answer.statusCode ?? 0, resets_s }))
    })
    asked.on('error', reject).end()
  })
}

test('all nodes together admit as many requests as one', async () => {
  const { resets_s } = await fromElsewhere()
  let admitted = 1
  // If a quota ended in the middle, there would be two; a loaded machine takes seconds.
  if (resets_s < 10) {
    await sleep(resets_s * 1_000)
    admitted = 0
  }
  const answers = await Promise.all(
    Array.from({ length: 3 * anonymous_quota }, () => fromElsewhere()),
  )
  const statuses = answers.map(({ status }) => status)
  admitted += statuses.filter((status) => status === 200).length
  assert.deepEqual([...new Set(statuses)].sort(), [200, 429])
  assert.equal(admitted, anonymous_quota)
})

test('a key that is revoked at one node is refused by all within 3 s', async () => {
  const owner = await registrar.customer({ funds_cents: 0, scopes })
  const { token, id } = await keyOf(owner, owner.key, {})
  const statuses = () =>
    Promise.all(
      nodes.map(async (node) => (await ask('GET', '/v1/account', { token, at: node.url })).status),
    )
  assert.deepEqual(await statuses(), [200, 200, 200])
  const path = `/v1/customers/${owner.id}/api-keys/${id}/revoke`
  const at = nodes[0]?.url ?? ''
  assert.equal((await ask('POST', path, { token: owner.key, body: {}, at })).status, 200)
  await until(async () => (await statuses()).every((status) => status === 401), {
    within_ms: 3_000,
    what: 'every node refuses the key',
  })
})

test('approved purchases are made once, whichever node has the task, and mailed once', async () => {
  const owner = await registrar.customer({ funds_cents: 100_000, scopes })
  const { token } = await keyOf(owner, owner.key, { approval_above: { amount: '5.00' } })
  const session = await recentSessionOf(registrar, owner)
  const domains = Array.from({ length: 9 }, (_, i) => `approved-${i}.com`)
  const ids = await Promise.all(
    domains.map(async (domain) => {
      const { body } = await ask('POST', '/v1/domains', { token, body: { domain } })
      return String(body.approval.id)
    }),
  )
  await Promise.all(
    ids.map((id) => ask('POST', `/v1/approvals/${id}/approve`, { token: session, body: {} })),
  )
  const read = async () =>
    Promise.all(ids.map(async (id) => (await ask('GET', `/v1/approvals/${id}`, { token })).body))
  await until(async () => (await read()).every(({ state }) => state === 'executed'), {
    within_ms: 15_000,
    what: 'every approval is executed',
  })
  const orders = await query('select domain from orders where customer_id = $1 order by 1', [
    owner.id,
  ])
  assert.deepEqual(
    orders.map(({ domain }) => domain),
    domains,
  )
  const wanted = { to: owner.email, subject: /Approve or decline/ }
  const mails = await registrar.mails({ ...wanted, count: domains.length })
  assert.equal(mails.length, domains.length)
  assert.equal(new Set(mails.map(({ subject }) => subject)).size, domains.length)
})

const usd = (amount: string) => ({ spend_limit: { amount, currency: 'USD', window: 'total' } })

// A node is killed once so many of them are answered.
for (const answered of everything ? [0, 5, 10, 20, 40, 59] : [10])
  test(`200 purchases at once through a chain of three keys, a node killed after ${answered}: not a cent too many`, async () => {
    const fit = 60
    const owner = await registrar.customer({ funds_cents: 100_000, scopes })
    const first = await keyOf(owner, owner.key, usd('700.00'))
    const middle = await keyOf(owner, first.token, usd('680.00'))
    // 60 registrations cost 633.00, and 61 would cost 643.55.
    const last = await keyOf(owner, middle.token, usd('643.54'))
    let done = 0
    const answers = Array.from({ length: 200 }, async (_, i) => {
      const domain = `chain-${answered}-${i}.com`
      const answer = await insist({ url, key: last.token, domain })
      done += 1
      return answer
    })
    await until(() => done >= answered, { within_ms: 30_000, what: 'the first are answered' })
    const [killed] = nodes.splice(0, 1)
    assert.equal(await killed?.kill(), false)
    balancer.remove(killed?.url ?? '')
    // This runs while its orders wait for their leases to end.
    const replaced = cluster.join(everything ? undefined : second())
    const [ended] = await Promise.all([Promise.all(answers), replaced])
    const bought = ended.filter(({ status }) => status === 200)
    const codes = new Set(ended.filter(({ status }) => status !== 200).map(({ code }) => code))
    assert.deepEqual([bought.length, [...codes]], [fit, ['spend_limit_exceeded']])
    const { body } = await ask('GET', '/v1/account/limits', { token: last.token })
    assert.deepEqual(
      body.limits.map((one: { spend_limit: { spent: string } }) => one.spend_limit.spent),
      ['633.00', '633.00', '633.00'],
    )
  })

test('a rolling upgrade to the next version answers every request', async (context) => {
  await traffic.settled()
  const before = { failures: traffic.failures.length, own: balancer.failures.length }
  const bought = traffic.bought.length
  const olds = nodes.splice(0, everything ? 3 : 1)
  for (const old of olds) {
    await cluster.join(second())
    assert.equal(await old.stop(), 0)
    balancer.remove(old.url)
  }
  context.diagnostic(`${traffic.bought.length - bought} purchases were answered meanwhile`)
  assert.deepEqual(balancer.failures.slice(before.own), [])
  assert.deepEqual(traffic.failures.slice(before.failures), [])
  const placed = await query(
    `select placed_by, count(*)::int as orders from orders where domain like 'load-%'
      group by 1 order by 1`,
  )
  assert.deepEqual(
    placed.map(({ placed_by }) => placed_by),
    ['second', null],
  )
})

test('streams, tasks, sessions and the ledger agree after all of it', async () => {
  await traffic.stop()
  talking = false
  await talk
  await until(async () => (await cluster.openOrders()).length === 0, {
    within_ms: 30_000,
    what: 'every order is closed',
  })
  const messages = () =>
    reader.events
      .filter(({ event }) => event === 'message')
      .map(({ data }) => JSON.parse(data).body)
  await until(() => messages().length >= posted.length, {
    within_ms: 10_000,
    what: 'all events came',
  })
  reader.stop()
  assert.deepEqual(messages(), posted)
  assert.ok(reader.resumed > 0, 'the stream was broken, and resumed')
  assert.deepEqual(await query('select kind, last_error from tasks_dead'), [])
  assert.equal(cluster.sessionsRefused(), 0)
  assert.ok(cluster.sessionsOpen() > 0)
  const states = await query(`select distinct state from orders where domain = any ($1)`, [
    traffic.bought,
  ])
  assert.deepEqual(states, [{ state: 'succeeded' }])
  const found = await cluster.audit()
  assert.deepEqual(found.violations, [])
  assert.deepEqual([found.lost_cents, found.double_effects], [0, 0])
})
