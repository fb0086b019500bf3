// Changes of DNS records over two nodes at once, and over nodes that are killed before and after
// they store one: each is served and recorded, or neither. DNS_CHANGES=1000 runs it at full size.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type, { type Static } from 'typebox'
import { scopes } from '../../src/app.ts'
import { freePort } from '../../src/kit/net/free-port.ts'
import { compile, nullable } from '../../src/kit/schema.ts'
import { answered, overTcp, signed, updateOf } from '../support/dns/dns-update.ts'
import type { TestCustomer } from '../support/service.ts'
import { startSetup } from './support/disaster-setup.ts'
import { chanceOf } from './support/seeded-random.ts'

const changes = Number(process.env.DNS_CHANGES ?? 120)
const seed = Number(process.env.DISASTER_SEED ?? 20_261_128)
const { registrar, query, node } = await startSetup()

async function heldBy(label: string): Promise<{ customer: TestCustomer; domain: string }> {
  const customer = await registrar.customer({ scopes: [...scopes] })
  const domain = `records-${label}.com`
  const bought = await registrar.request('POST', '/v1/domains', {
    token: customer.key,
    body: { domain },
  })
  assert.equal(bought.status, 200, bought.text)
  return { customer, domain }
}

type Held = Awaited<ReturnType<typeof heldBy>>

/** The status, or null if the node died before it answered. */
async function send(
  url: string,
  { customer, domain }: Held,
  { method, path, body }: { method: string; path: string; body: object },
): Promise<{ status: number; body: Record<string, unknown> } | null> {
  try {
    const response = await fetch(`${url}/v1/domains/${domain}${path}`, {
      method,
      headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: Object(await response.json()) }
  } catch {
    return null
  }
}

const added = (host: string, value: string) => ({
  ...{ method: 'PATCH', path: '/records' },
  body: { add: [{ host, type: 'TXT', value }] },
})

const content = nullable(Type.Object({ ttl: Type.Integer(), rdata: Type.Array(Type.String()) }))
const readSets = compile(
  Type.Array(
    Type.Object({ host: Type.String(), type: Type.Integer(), before: content, after: content }),
  ),
)
type Content = Static<typeof content>

/**
 * The changes in their order make exactly the stored sets, each begins where the one before it
 * ended, and each has its one entry in the audit log. Returns how many there are.
 */
async function assertConsistent({ domain }: Held): Promise<number> {
  const kept = await query(
    `select c.id, c.sets from dns_changes c join domains d on d.id = c.domain_id
      where d.name = $1 order by c.pos`,
    [domain],
  )
  const replayed = new Map<string, Content>()
  for (const { id, sets } of kept)
    for (const { host, type, before, after } of readSets.parse(sets)) {
      const key = `${host} ${type}`
      assert.deepEqual(before, replayed.get(key) ?? null, `${id} ${key}`)
      replayed.set(key, after)
    }
  const stored = await query(
    `select s.host || ' ' || s.type as key, s.ttl,
            array(select encode(v.value, 'hex') from unnest(s.rdata) v (value)) as rdata
       from dns_record_sets s join domains d on d.id = s.domain_id where d.name = $1`,
    [domain],
  )
  assert.deepEqual(
    new Map(stored.map(({ key, ttl, rdata }) => [String(key), { ttl, rdata }])),
    new Map([...replayed].filter(([, content]) => content !== null)),
  )
  const logged = await query(
    `select metadata ->> 'change' as change from audit_logs
      where target = $1 and metadata ? 'change'`,
    [domain],
  )
  assert.deepEqual(logged.map(({ change }) => change).sort(), kept.map(({ id }) => id).sort())
  return kept.length
}

/** The texts that the name server of this process answers. */
async function servedTexts(domain: string, host: string): Promise<string[]> {
  const answer = await registrar.service.app.dns.askSet(`${host}.${domain}`, 16)
  return (answer?.rdata ?? []).map((one) => one.toString('latin1', 1)).sort()
}

test('of many changes through two nodes at once none is lost', async () => {
  const held = await heldBy('parallel')
  const nodes = [await node(), await node()]
  const chance = chanceOf(seed)
  const shared = Array.from({ length: changes }, (_, at) => `value-${at}`)
  const width = 16
  await Promise.all(
    Array.from({ length: width }, async (_, turn) => {
      for (let at = turn; at < changes; at += width) {
        const { url } = nodes[chance.below(2)] ?? nodes[0] ?? { url: '' }
        const host = at % 3 === 0 ? 'shared' : `host-${at}`
        const done = await send(url, held, added(host, shared[at] ?? ''))
        assert.equal(done?.status, 200, JSON.stringify(done?.body))
      }
    }),
  )
  assert.equal(await assertConsistent(held), changes)
  const values = shared.filter((_, at) => at % 3 === 0).slice(0, 100)
  assert.deepEqual(await servedTexts(held.domain, 'shared'), [...values].sort())
  await Promise.all(nodes.map((one) => one.kill()))
})

for (const step of ['records_storing', 'records_stored'])
  test(`a node that dies at ${step} leaves a change whole, or none`, async () => {
    const held = await heldBy(step.replace('_', '-'))
    const first = await send(registrar.url, held, added('kept', 'before'))
    assert.equal(first?.status, 200)
    const isStored = step === 'records_stored'
    const dying = await node({ crash_at: step })
    assert.equal(await send(dying.url, held, added('www', 'after')), null)
    assert.ok(await dying.dies())
    assert.equal(await assertConsistent(held), isStored ? 2 : 1)
    assert.deepEqual(await servedTexts(held.domain, 'www'), isStored ? ['after'] : [])
    // Although the request is repeated, the text exists once.
    assert.equal((await send(registrar.url, held, added('www', 'after')))?.status, 200)
    assert.equal(await assertConsistent(held), 2)
    const reverting = await node({ crash_at: step })
    const revert = {
      ...{ method: 'POST', path: `/changes/${first.body.change_id}/revert` },
      body: { prune: true },
    }
    assert.equal(await send(reverting.url, held, revert), null)
    assert.ok(await reverting.dies())
    await assertConsistent(held)
    const again = await send(registrar.url, held, revert)
    assert.equal(again?.status, 200)
    await assertConsistent(held)
  })

for (const step of ['records_storing', 'records_stored'])
  test(`a node that dies at ${step} carries a signed DNS update out whole, or not at all`, async () => {
    const held = await heldBy(step.replace('_', '-update-'))
    const { domain, customer } = held
    const at = `/v1/domains/${domain}/tsig-keys`
    const { body: key } = await registrar.request('POST', at, { token: customer.key, body: {} })
    const isStored = step === 'records_stored'
    const place = { host: '127.0.0.1', port: await freePort() }
    const dying = await node({ crash_at: step, settings: { DNS_PORT: String(place.port) } })
    const change = { updates: [`www.${domain} 60 IN TXT after`] }
    const { secret } = key
    const bytes = signed(updateOf(domain, change), { key: key.key, secret })
    // A node that dies ends the connection without an answer.
    assert.equal((await overTcp(bytes, place).catch(() => Buffer.of())).length, 0)
    assert.ok(await dying.dies())
    assert.equal(await assertConsistent(held), isStored ? 1 : 0)
    assert.deepEqual(await servedTexts(domain, 'www'), isStored ? ['after'] : [])
    const living = registrar.service.app.dns.place
    // The same request gets its answer. One that was interrupted gets none, and is signed anew.
    const again = await overTcp(bytes, living)
    assert.equal(again.length === 0 ? null : answered(again).rcode, isStored ? 0 : null)
    const anew = signed(updateOf(domain, change), { key: key.key, secret })
    assert.equal(answered(await overTcp(anew, living)).rcode, 0)
    assert.equal(await assertConsistent(held), 1)
    assert.deepEqual(await servedTexts(domain, 'www'), ['after'])
  })
