// Random DNS updates, sent to ours and to Knot with the same octets and signature: the same code,
// and the same zone afterwards. TTLs are alike, since Knot keeps that of a record which is added
// again, where RFC 2136 3.4.2.2 replaces it. UPDATES=5000 runs more; UPDATE_SEED repeats a run.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { scopes } from '../../../src/app.ts'
import { readMessage } from '../../../src/dns/message/read-message.ts'
import { typeName } from '../../../src/dns/types.ts'
import { must } from '../../contract/support/fixture.ts'
import { chanceOf } from '../../disasters/support/seeded-random.ts'
import {
  answered,
  type GivenKey,
  overTcp,
  overUdp,
  signed,
  transferOf,
  updateOf,
} from '../../support/dns/dns-update.ts'
import { startService } from '../../support/service.ts'
import type { Place } from '../dns-differential/ask.ts'
import { skipKnot } from '../dns-move/knot.ts'
import { startUpdatedKnot } from './knot-updates.ts'

const seed = Number(process.env.UPDATE_SEED ?? 20_261_128)
const count = Number(process.env.UPDATES ?? 800)
const domain = 'like-knot.com'
const registrar = await startService()
const { request, service } = registrar
const { key: token } = await registrar.customer({ funds_cents: 100_000, scopes: [...scopes] })
const chance = chanceOf(seed)

const pick = <T>(of: readonly T[], other: T): T => of[chance.below(of.length)] ?? other
const hosts = ['a', 'b', 'c.a', '*.w', 'x.b', '_acme-challenge']
const values: Readonly<Record<string, readonly string[]>> = {
  A: ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
  AAAA: ['2001:db8::1', '2001:db8::2'],
  TXT: ['one', 'two', 'three'],
  MX: ['10 m.example.net.', '20 n.example.net.'],
  CNAME: ['o.example.net.', 'p.example.net.'],
}
const types = Object.keys(values)

/** A name, which in most cases is in the zone. */
function name(): string {
  if (chance.below(40) === 0) return 'www.example.net'
  return chance.below(8) === 0 ? domain : `${pick(hosts, 'a')}.${domain}`
}

function typeAndValue(): string {
  const type = pick(types, 'A')
  return `${type} ${pick(values[type] ?? [], '192.0.2.1')}`
}

function prerequisite(): string {
  const ttl = chance.below(40) === 0 ? 60 : 0
  switch (chance.below(5)) {
    case 0:
      return `${name()} ${ttl} ANY ANY`
    case 1:
      return `${name()} ${ttl} NONE ANY`
    case 2:
      return `${name()} ${ttl} ANY ${pick(types, 'A')}`
    case 3:
      return `${name()} ${ttl} NONE ${pick(types, 'A')}`
    default:
      return `${name()} ${ttl} IN ${typeAndValue()}`
  }
}

function update(): string {
  switch (chance.below(6)) {
    case 0:
      return `${name()} 0 ANY ${pick(types, 'A')}`
    case 1:
      return `${name()} 0 ANY ANY`
    case 2:
      return `${name()} 0 NONE ${typeAndValue()}`
    default:
      return `${name()} 300 IN ${typeAndValue()}`
  }
}

function times(most: number, one: () => string): string[] {
  return Array.from({ length: chance.below(most + 1) }, one)
}

/** All records but SOA and NS of the domain, as lines. */
async function zoneAt(place: Place, key: GivenKey): Promise<string[]> {
  const message = readMessage(await overTcp(signed(transferOf(domain), key), place))
  assert.ok(!('problem' in message) && message.rcode === 0, JSON.stringify(message))
  return message.answer
    .filter(({ name: at, type }) => at !== domain || (type !== 2 && type !== 6))
    .map(({ name: at, type, ttl, value }) => {
      assert.ok('rdata' in value)
      return `${at} ${ttl} ${typeName(type)} ${value.rdata.toString('hex')}`
    })
    .sort()
}

it('answers and changes as Knot does', { skip: skipKnot }, async () => {
  await must(request('POST', '/v1/domains', { token, body: { domain } }))
  const at = `/v1/domains/${domain}`
  const { body } = await must(request('POST', `${at}/tsig-keys`, { token, body: {} }), 201)
  const key = { key: body.key, secret: body.secret }
  const { text } = await request('GET', `${at}/zonefile`, { token })
  const ours = service.app.dns.place
  const theirs = await startUpdatedKnot(domain, text, key)
  const seen = new Map<number, number>()
  for (let turn = 0; turn < count; turn += 1) {
    const change = { prerequisites: times(2, prerequisite), updates: times(4, update) }
    const bytes = signed(updateOf(domain, change), key)
    const [one, other] = await Promise.all(
      [ours, theirs].map(async (place) => answered(await overUdp(bytes, place)).rcode),
    )
    const title = `seed ${seed}, update ${turn}: ${JSON.stringify(change, null, 1)}`
    assert.equal(one, other, title)
    assert.deepEqual(await zoneAt(ours, key), await zoneAt(theirs, key), title)
    seen.set(one ?? -1, (seen.get(one ?? -1) ?? 0) + 1)
  }
  for (const code of [0, 1, 3, 6, 7, 8, 10]) assert.ok(seen.has(code), `no answer with ${code}`)
})
