// Scans of zones at name servers on real sockets: our own, and ones that behave as some real
// servers do.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { pino } from 'pino'
import { writeRdata } from '../../../dns/rdata/rdata.ts'
import { fileTypeName, fileTypeNumber, rrType } from '../../../dns/types.ts'
import { openEmbeddedDns } from '../server/dns-server.ts'
import { address, pointing, storeOf } from '../zones.fixture.ts'
import { type ScannedServer, type ServerToScan, scanZone } from './scan-zone.ts'
import {
  answering,
  plainly,
  recordOf,
  type ServerOfTest,
  soaLine,
  startServerOfTest,
} from './scanned-server.fixture.ts'
import { usualNames } from './usual-names.ts'

const zone = 'old.test'
const closers: (() => Promise<void>)[] = []
after(() => Promise.all(closers.map((close) => close())))

const questions = [
  ['@', 'A MX TXT NS'],
  ['www', 'A AAAA'],
  ['mail', 'A MX'],
  ['nothing', 'A TXT'],
  ['sub', 'A'],
  ['_sip._tcp', 'SRV'],
  ['_dmarc', 'TXT'],
].map(([host = '', types = '']) => ({
  name: host === '@' ? zone : `${host}.${zone}`,
  types: types.split(' ').flatMap((one) => fileTypeNumber(one) ?? []),
}))

type Given = { questions?: typeof questions; signal?: AbortSignal; slot_ms?: number }

async function scan(servers: ServerToScan[], given: Given = {}) {
  return await scanZone({
    ...{ zone, servers, questions, signal: new AbortController().signal, ...given },
    pace: { slot_ms: given.slot_ms ?? 2, reserve: async () => 0 },
  })
}

/** Lines such as "www A 300 192.0.2.1", sorted. */
function shown({ sets }: ScannedServer): string[] {
  return [...sets.values()]
    .map(({ name, type, ttl, rdata }) => {
      const host = name === zone ? '@' : name.slice(0, -zone.length - 1)
      return [host, fileTypeName(type), ttl, ...rdata.map((one) => writeRdata(type, one))].join(' ')
    })
    .sort()
}

async function started(reply: Parameters<typeof startServerOfTest>[0]): Promise<ServerOfTest> {
  const server = await startServerOfTest(reply)
  closers.push(server.close)
  return server
}
const at = (...servers: ServerOfTest[]) =>
  servers.map(({ place }, i) => ({ name: `ns${i + 1}.old.test`, places: [place] }))

async function first(servers: ServerToScan[], given: Given = {}): Promise<ServerToFind> {
  const { servers: scanned } = await scan(servers, given)
  const [one] = scanned
  assert.ok(one)
  return one
}
type ServerToFind = ScannedServer

const place = { host: '127.0.0.1', port: 0 }
const sets = [
  address('old.test', '192.0.2.1'),
  pointing('www.old.test', rrType.cname, 'web.old.test'),
  pointing('web.old.test', rrType.cname, 'host.old.test'),
  address('host.old.test', '192.0.2.9'),
  {
    name: 'old.test',
    type: 15,
    ttl: 600,
    rdata: [Buffer.from(recordOf('a. 1 MX 5 in.old.test.').rdata)],
  },
  address('in.old.test', '192.0.2.25'),
  pointing('sub.old.test', rrType.ns, 'ns.sub.old.test'),
  address('ns.sub.old.test', '192.0.2.53'),
]
const ours = { name: zone, serial: 7, nameservers: ['ns1.old.test'] }
const log = pino({ level: 'silent' })

describe('a scan', () => {
  it('finds the usual names, follows aliases and MX, and takes delegations with their glue', async () => {
    const store = storeOf([{ ...ours, sets }])
    const dns = await openEmbeddedDns({ place, store, glue: new Map(), log })
    closers.push(() => dns.close())
    const one = await first([{ name: 'ns1.old.test', places: [dns.place] }])
    assert.deepEqual(one.places, [{ address: '127.0.0.1', state: 'answers', tcp: true, serial: 7 }])
    assert.deepEqual(shown(one), [
      '@ A 300 192.0.2.1',
      '@ MX 600 5 in.old.test.',
      '@ NS 3600 ns1.old.test.',
      'host A 300 192.0.2.9',
      'in A 300 192.0.2.25',
      'ns.sub A 300 192.0.2.53',
      'sub NS 300 ns.sub.old.test.',
      'web CNAME 300 host.old.test.',
      'www CNAME 300 web.old.test.',
    ])
    assert.deepEqual([one.complete, one.copy, one.unanswered], [true, 'refused', 0])
  })

  it('distinguishes a wildcard from names of its own', async () => {
    const wild = [
      address('*.old.test', '192.0.2.4'),
      // The same as the wildcard, except for a type that this name alone has.
      address('mail.old.test', '192.0.2.4'),
      { name: 'mail.old.test', type: 15, ttl: 60, rdata: [recordOf('a. 1 MX 5 b.').rdata] },
      address('nothing.old.test', '192.0.2.99'),
    ]
    const store = storeOf([{ ...ours, sets: wild }])
    const dns = await openEmbeddedDns({ place, store, glue: new Map(), log })
    closers.push(() => dns.close())
    const one = await first([{ name: 'ns1.old.test', places: [dns.place] }])
    assert.deepEqual(shown(one), [
      '* A 300 192.0.2.4',
      '@ NS 3600 ns1.old.test.',
      'mail A 300 192.0.2.4',
      'mail MX 60 5 b.',
      'nothing A 300 192.0.2.99',
    ])
  })

  it('takes all of a zone that a server copies, and asks the other for its names', async () => {
    const odd = 'odd.name.old.test. 300 A 192.0.2.7'
    const lines = ['old.test. 300 A 192.0.2.1', odd, 'elsewhere.test. 300 A 192.0.2.66']
    const soa = soaLine(zone, 9)
    const open = await started((asked) => {
      if (asked.type !== rrType.axfr) return plainly(zone, [soa, ...lines])(asked)
      const parts = [
        [soa, ...lines.slice(0, 1)],
        [...lines.slice(1), soa],
      ]
      return parts.map((answer) => answering(asked, { answer }))
    })
    const closed = await started(plainly(zone, ['old.test. 300 A 192.0.2.2', odd]))
    const { servers } = await scan(at(open, closed))
    const [whole, asked] = servers
    assert.ok(whole && asked)
    assert.deepEqual([whole.copy, whole.complete, whole.asked], ['whole', true, null])
    assert.deepEqual(shown(whole).slice(0, 1), ['@ A 300 192.0.2.1'])
    assert.ok(shown(whole).includes('odd.name A 300 192.0.2.7'))
    assert.ok(![...whole.sets.keys()].some((key) => key.startsWith('elsewhere')))
    assert.deepEqual(shown(asked), ['@ A 300 192.0.2.2', 'odd.name A 300 192.0.2.7'])
    assert.ok(!open.asked.some((one) => one.startsWith('udp www.')), 'a copy needs no questions')
  })
})

describe('servers that answer as some do', () => {
  it('are asked over TCP what did not fit, and everything where UDP is silent', async () => {
    const lines = ['old.test. 300 TXT "long"', 'www.old.test. 300 A 192.0.2.2']
    const cut = await started((asked) =>
      asked.over === 'udp' && asked.type === rrType.txt
        ? [answering(asked, { cut: true })]
        : plainly(zone, lines)(asked),
    )
    const tcp_only = await started((asked) =>
      asked.over === 'udp' ? [] : plainly(zone, lines)(asked),
    )
    const few = [
      { name: zone, types: [rrType.txt] },
      { name: `www.${zone}`, types: [rrType.a] },
    ]
    const { servers } = await scan(at(cut, tcp_only), { questions: few })
    for (const one of servers)
      assert.deepEqual(shown(one), ['@ TXT 300 "long"', 'www A 300 192.0.2.2'])
    assert.ok(cut.asked.includes('tcp old.test 16'))
    assert.deepEqual(
      servers.map((one) => one.complete),
      [true, true],
    )
  })

  it('are asked again without EDNS where they are from before it', async () => {
    let left = 3
    const old = await started((asked) => {
      left -= 1
      return left > 0
        ? [answering(asked, { rcode: 1 })]
        : plainly(zone, [`www.${zone}. 9 A 192.0.2.2`])(asked)
    })
    const few = [{ name: `www.${zone}`, types: [rrType.a] }]
    const one = await first(at(old), { questions: few })
    assert.deepEqual(shown(one), ['www A 9 192.0.2.2'])
  })

  it('are asked nothing further where they do not answer for the zone, or not at all', async () => {
    const lame = await started((asked) => [answering(asked, { rcode: 5 })])
    const cache = await started((asked) => [
      answering(asked, { answer: [soaLine(zone)], authoritative: false }),
    ])
    const gone = await started(() => [])
    await gone.close()
    closers.pop()
    const { servers } = await scan(at(lame, cache, gone))
    assert.deepEqual(
      servers.map(({ places: [seen], sets: found }) => [seen?.state, found.size]),
      [
        ['lame', 0],
        ['lame', 0],
        ['silent', 0],
      ],
    )
    assert.deepEqual(lame.asked, ['udp old.test 6', 'tcp old.test 6'])
    assert.ok(servers.every(({ complete }) => !complete))
  })
})

describe('the limits of a scan', () => {
  it('leave what it has when it is ended', async () => {
    const ended = new AbortController()
    const slow = await started((asked) => {
      if (asked.name === `www.${zone}`) setTimeout(() => ended.abort(), 100)
      if (asked.name === `mail.${zone}`) return []
      return plainly(zone, ['old.test. 300 A 192.0.2.1', `www.${zone}. 300 A 192.0.2.2`])(asked)
    })
    const one = await first(at(slow), { signal: ended.signal })
    assert.equal(one.complete, false)
    assert.ok(shown(one).includes('@ A 300 192.0.2.1'), shown(one).join())
  })

  it('are one packet in a slot to an address, which two servers may share', async () => {
    const server = await started(plainly(zone, []))
    const [one] = at(server)
    assert.ok(one)
    await scan([one, { ...one, name: 'ns2.old.test' }], { slot_ms: 50 })
    const gaps = server.times.slice(1).map((time, i) => time - (server.times[i] ?? 0))
    const span_ms = (server.times.at(-1) ?? 0) - (server.times[0] ?? 0)
    assert.ok(server.times.length > 10)
    const [asked] = server.asked.filter((text) => text === 'udp www.old.test 1')
    assert.equal(server.asked.filter((text) => text === asked).length, 1)
    assert.ok(span_ms >= 45 * gaps.length, `${gaps.length + 1} packets in ${span_ms} ms`)
  })
})

it('has some 200 usual names, each once, of types that are known', () => {
  const names = usualNames.map(({ host }) => host)
  assert.equal(new Set(names).size, names.length)
  assert.ok(names.length > 150 && names.length < 250, String(names.length))
  for (const { host, types } of usualNames)
    for (const type of types) assert.ok(fileTypeNumber(type) !== undefined, `${host} ${type}`)
})
