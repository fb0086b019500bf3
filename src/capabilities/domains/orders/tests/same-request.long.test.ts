// Idempotency over two nodes: the same paid request twice at the same time is one order, and both
// answers are about it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newDatabase } from '../../../../../test/support/database.ts'
import {
  deleteBehind,
  sellElsewhere,
  soldCode,
} from '../../../../../test/support/other-registrar.ts'
import { type Answer, startService } from '../../../../../test/support/service.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'

/** Pairs for each operation, with a key and without. SAME_REQUEST_PAIRS=1000 takes some minutes. */
const pairs = Number(process.env.SAME_REQUEST_PAIRS ?? 50)
const atOnce = 16

const database_url = await newDatabase('template_of_tests')
const one = await lifecycleService(await startService({ database_url, worker: false }))
const { sandbox, mailbox } = one
const other = await startService({ database_url, sandbox, mailbox, worker: false })
const buyer = await one.customer({ funds_cents: 1_000_000_000 })
after(() => sandbox.clearFaults())

type Asking = { path: string; body: object; key?: string }
const send = (node: { request: typeof one.request }, { path, body, key }: Asking) =>
  node.request('POST', path, {
    token: buyer.key,
    body,
    ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
  })

/** Runs `work` for each, some at once. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const take = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, take))
}

const shown = ({ status, body }: Answer) => `${status} ${body.code ?? body.operation?.state}`

let turn = 0

/**
 * Both nodes get the same request, up to 18 ms apart; answers that are neither of `allowed` nor
 * the order.
 */
async function pair(asking: Asking, allowed: readonly string[]): Promise<string[]> {
  turn += 1
  const later = sleep((turn % 10) * 2).then(() => send(other, asking))
  const answers = await Promise.all([send(one, asking), later])
  const purchased = answers.filter(({ status }) => status === 200)
  const operations = new Set(purchased.map(({ body }) => body.operation?.id))
  const wrong = answers.filter(({ status, body }) => status !== 200 && !allowed.includes(body.code))
  if (purchased.length > 0 && operations.size === 1 && wrong.length === 0) return []
  return [`${asking.path}: ${answers.map(shown).join(' and ')}, ${operations.size} orders`]
}

type Kind = {
  asking: (domain: string) => Omit<Asking, 'key'>
  /** Refusals of the slower one that has no key, whose twin has ended already. */
  ended: readonly string[]
}
const kinds: Record<string, Kind> = {
  register: {
    asking: (domain) => ({ path: '/v1/domains', body: { domain } }),
    ended: ['domain_already_held'],
  },
  renew: {
    asking: (domain) => ({ path: `/v1/domains/${domain}/renew`, body: {} }),
    ended: ['recently_renewed'],
  },
  restore: {
    asking: (domain) => ({ path: `/v1/domains/${domain}/restore`, body: {} }),
    ended: ['not_in_redemption'],
  },
  transfer: {
    asking: (domain) => ({
      path: '/v1/domains/transfer',
      body: { domain, auth_code: soldCode },
    }),
    ended: ['domain_already_held'],
  },
}

async function expiryOf(domain: string): Promise<string> {
  const { body } = await one.read(buyer, domain)
  return body.expiry
}

async function bothAsk(kind: string, domains: readonly string[], keyed: boolean): Promise<void> {
  const { asking, ended } = kinds[kind] ?? assert.fail(kind)
  const wrong: string[] = []
  await each(domains, async (domain) => {
    const { path, body } = asking(domain)
    // With a key the fence is sent as well: its refusal must not come before the key's answer.
    const fence = kind === 'renew' && keyed ? { expected_expiry: await expiryOf(domain) } : {}
    const request = { path, body: { ...body, ...fence } }
    const key = keyed ? { key: `${kind}-${domain}` } : {}
    wrong.push(...(await pair({ ...request, ...key }, keyed ? ['idempotency_key_in_use'] : ended)))
    if (!keyed) return
    const again = await send(other, { ...request, ...key })
    if (again.status !== 200) wrong.push(`again ${path}: ${shown(again)}`)
  })
  assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} of ${domains.length} pairs`)
  const [{ orders } = { orders: null }] = await one.query(
    `select count(*)::int as orders from orders where type = $1 and domain = any ($2)`,
    [kind, domains],
  )
  assert.equal(orders, domains.length)
}

/** One node is still asking the registry when the other has answered. */
async function slowTwin(asking: Asking, command: string, domain: string): Promise<void> {
  sandbox.setFault({ name: 'slow', command, domain, times: 1, delay_ms: 60_000 })
  const slow = send(one, asking)
  while (sandbox.faults().length > 0) await sleep(5)
  const fast = await send(other, asking)
  sandbox.releaseDelayed()
  assert.equal(fast.status, 200, fast.text)
  assert.equal(fast.body.operation.state, 'succeeded', fast.text)
  const { status, body, text, headers } = await slow
  assert.equal(status, 200, text)
  assert.equal(body.operation.id, fast.body.operation.id)
  assert.equal(headers.get('Idempotent-Replayed'), 'true')
}

test('a request whose twin ends while it reads the registry gets the answer of the twin', async () => {
  const domain = 'slow-twin.com'
  const register = { path: '/v1/domains', body: { domain }, key: 'slow-register' }
  await slowTwin(register, 'domain:check', domain)
  const path = `/v1/domains/${domain}`
  const fence = { expected_expiry: await expiryOf(domain) }
  // A reading counts as fresh for a minute.
  await one.advance('PT2M')
  await slowTwin({ path: `${path}/renew`, body: fence, key: 'slow-renew' }, 'domain:info', domain)
  await one.advance('P20D')
  await deleteBehind(one, domain)
  await one.advance('PT2M')
  await slowTwin({ path: `${path}/restore`, body: {}, key: 'slow-restore' }, 'domain:info', domain)
})

/**
 * How a domain becomes one that the operation is for, and what the registry calls the operation.
 */
const late: Record<string, { effect: string; prepare: (domain: string) => Promise<unknown> }> = {
  register: { effect: 'create', prepare: async () => undefined },
  renew: { effect: 'renew', prepare: (domain) => one.buys(buyer, domain) },
  restore: {
    effect: 'restore',
    async prepare(domain) {
      await one.buys(buyer, domain)
      await one.advance('P20D')
      await deleteBehind(one, domain)
      await one.advance('PT2M')
    },
  },
}

for (const [kind, { effect, prepare }] of Object.entries(late))
  test(`a ${kind} whose twin ended after it read the registry is not sent again`, async () => {
    const { asking, ended } = kinds[kind] ?? assert.fail(kind)
    const domain = `late-${kind}.com`
    await prepare(domain)
    // The price is asked for last: what was read of the domain is from before the twin.
    sandbox.setFault({ name: 'slow', command: 'domain:check', domain, times: 1, delay_ms: 60_000 })
    const slow = send(one, asking(domain))
    while (sandbox.faults().length > 0) await sleep(5)
    const fast = await send(other, asking(domain))
    sandbox.releaseDelayed()
    assert.equal(shown(fast), '200 succeeded', fast.text)
    const { status, body, text } = await slow
    assert.equal(status, 409, text)
    assert.equal(body.code, ended[0], text)
    const kindsDone = one.effects(domain).filter((done) => done === effect)
    assert.deepEqual(kindsDone, [effect])
    const orders = await one.query('select id from orders where type = $1 and domain = $2', [
      kind,
      domain,
    ])
    assert.deepEqual(orders, [{ id: fast.body.operation.id }])
  })

const names = (prefix: string) => Array.from({ length: pairs }, (_, i) => `${prefix}-${i}.com`)
const registered = { keyed: names('keyed'), bare: names('bare') }

test('register with one key', () => bothAsk('register', registered.keyed, true))
test('register without a key', () => bothAsk('register', registered.bare, false))
test('renew with one key and a fence', () => bothAsk('renew', registered.keyed, true))
test('renew without a key', () => bothAsk('renew', registered.bare, false))

for (const keyed of [true, false])
  test(`transfer ${keyed ? 'with one' : 'without a'} key`, async () => {
    const domains = names(keyed ? 'moved' : 'moved-bare')
    await each(domains, (domain) => sellElsewhere(one, domain))
    await bothAsk('transfer', domains, keyed)
  })

test('restore with one key, and without', async () => {
  await one.advance('P20D')
  const all = [...registered.keyed, ...registered.bare]
  await each(all, (domain) => deleteBehind(one, domain))
  await one.advance('PT2M')
  await bothAsk('restore', registered.keyed, true)
  await bothAsk('restore', registered.bare, false)
})
