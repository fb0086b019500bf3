// The name server on real sockets: conformance to the RFCs, and robustness against malformed
// messages.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, it } from 'node:test'
import { type DecodedPacket, decode, encode, type OptAnswer } from 'dns-packet'
import fc from 'fast-check'
import { pino } from 'pino'
import { openEmbeddedDns } from './dns-server.ts'
import type { Find } from './port.ts'
import { findIn, glue, sample } from './zones.fixture.ts'

const log = pino({ level: 'silent' })
const many = {
  ...sample,
  name: 'many.net',
  nameservers: Array.from({ length: 13 }, (_, i) => `name-server-${i}.example.net`),
}
const zones = findIn([sample, many])
let find: Find = zones
const dns = await openEmbeddedDns({
  place: { host: '127.0.0.1', port: 0 },
  find: (names) => find(names),
  glue,
  log,
})
const udp = createSocket('udp4')
udp.connect(dns.place.port, '127.0.0.1')
await once(udp, 'connect')
after(async () => {
  udp.close()
  await dns.close()
})

type Given = { name?: string; type?: number; edns?: Partial<OptAnswer>; flags?: number }

function opt(given: Partial<OptAnswer>): OptAnswer {
  const plain = { udpPayloadSize: 1232, extendedRcode: 0, ednsVersion: 0, flags: 0 }
  return { type: 'OPT', name: '.', ...plain, flag_do: false, options: [], ...given }
}

/** A query as a client writes it; `type` is a number, since not all of them have names. */
function queryOf({ name = 'www.example.com', type = 1, edns, flags = 0 }: Given): Buffer {
  const bytes = encode({
    type: 'query',
    id: 4711,
    flags,
    questions: [{ name, type: 'A' }],
    additionals: edns ? [opt(edns)] : [],
  })
  bytes.writeUInt16BE(type, 12 + name.length + 2)
  return bytes
}

async function askUdp(bytes: Buffer): Promise<Buffer> {
  const answered = once(udp, 'message')
  udp.send(bytes)
  const [answer] = await answered
  return answer
}

const ask = async (given: Given) => decode(await askUdp(queryOf(given)))
const rcodeOf = ({ flags = 0 }: DecodedPacket) => flags & 15
const optIn = (packet: DecodedPacket) => {
  const found = packet.additionals?.find((one) => one.type === 'OPT')
  return found?.type === 'OPT' ? found : undefined
}

/** Nothing was answered to the bytes, since the next answer is that of a question after them. */
async function assertSilent(bytes: Buffer): Promise<void> {
  udp.send(bytes)
  assert.equal((await ask({ name: 'example.com' })).questions?.[0]?.name, 'example.com')
}

it('repeats id, opcode and RD, and never claims recursion', async () => {
  const answer = await ask({ flags: 0x0100 })
  assert.deepEqual([answer.id, answer.flag_qr, answer.flag_aa], [4711, true, true])
  assert.deepEqual([answer.flag_rd, answer.flag_ra, answer.flag_tc], [true, false, false])
  assert.equal((await ask({ flags: 0 })).flag_rd, false)
})

it('repeats the question exactly, also a type without a name and octets that are no text', async () => {
  const https = queryOf({ name: 'wWw.eXample.COM', type: 65 })
  const answer = await askUdp(https)
  assert.deepEqual(answer.subarray(12, https.length), https.subarray(12))
  assert.equal(rcodeOf(decode(answer)), 0)
  for (const octet of [0x00, 0x2e, 0x5c, 0xc3, 0xff]) {
    const odd = queryOf({ name: 'w?w.example.com' })
    odd[14] = octet
    const refused = await askUdp(odd)
    assert.deepEqual(refused.subarray(12, odd.length), odd.subarray(12))
    assert.equal(refused.readUInt16BE(2) & 15, 3)
  }
})

it('does not take a dot within a label for one between labels', async () => {
  const bytes = queryOf({ name: 'www?example.com' })
  bytes[16] = 0x2e
  assert.equal((await askUdp(bytes)).readUInt16BE(2) & 15, 5)
})

it('answers EDNS with EDNS, and plain queries without', async () => {
  assert.equal(optIn(await ask({})), undefined)
  const answered = optIn(await ask({ edns: { flags: 0x8000 } }))
  assert.deepEqual([answered?.ednsVersion, answered?.udpPayloadSize], [0, 1232])
  assert.deepEqual([answered?.flag_do, answered?.options], [true, []])
  assert.equal(optIn(await ask({ edns: {} }))?.flag_do, false)
})

it('answers BADVERS to an unsupported version of EDNS', async () => {
  const answer = await ask({ edns: { ednsVersion: 1 } })
  const decoded = optIn(answer)
  assert.deepEqual([rcodeOf(answer), decoded?.extendedRcode, decoded?.ednsVersion], [0, 1, 0])
  assert.deepEqual(answer.answers, [])
})

it('ignores unknown options', async () => {
  const options = [{ code: 12, length: 12 }] satisfies OptAnswer['options']
  const answer = await ask({ edns: { options } })
  assert.equal(answer.answers?.length, 1)
})

it('refuses a second OPT, one that is not at the root, and garbage behind the question', async () => {
  const twice = queryOf({ edns: {} })
  const record = twice.subarray(twice.length - 11)
  const doubled = Buffer.concat([twice, record])
  doubled.writeUInt16BE(2, 10)
  const named = Buffer.concat([queryOf({}), Buffer.from([1, 97]), record])
  named.writeUInt16BE(1, 10)
  const behind = Buffer.concat([queryOf({}), Buffer.from('garbage')])
  for (const bytes of [doubled, named, behind])
    assert.equal(rcodeOf(decode(await askUdp(bytes))), 1, bytes.toString('hex'))
})

it('sets TC where the answer does not fit the requested size', async () => {
  for (const edns of [undefined, { udpPayloadSize: 512 }, { udpPayloadSize: 100 }]) {
    const bytes = await askUdp(queryOf({ name: 'many.net', type: 2, ...(edns ? { edns } : {}) }))
    const cut = decode(bytes)
    assert.deepEqual([cut.flag_tc, cut.answers, cut.questions?.length], [true, [], 1])
    assert.ok(bytes.length <= 512)
    assert.equal(optIn(cut) !== undefined, edns !== undefined)
  }
  const whole = await ask({ name: 'many.net', type: 2, edns: { udpPayloadSize: 1232 } })
  assert.deepEqual([whole.flag_tc, whole.answers?.length], [false, 13])
})

it('omits the glue before it sets TC', async () => {
  const name = `${'l'.repeat(60)}.${'l'.repeat(60)}.${'l'.repeat(60)}.${'l'.repeat(43)}.com`
  find = findIn([{ ...sample, name, nameservers: ['ns1.example.com'], records: [] }])
  const small = await ask({ name, type: 2 })
  assert.deepEqual([small.flag_tc, small.answers?.length, small.additionals], [false, 1, []])
  const large = await ask({ name, type: 2, edns: {} })
  assert.deepEqual(large.additionals?.map(({ type }) => type).sort(), ['A', 'OPT'])
  find = zones
})

it('answers ANY with one set', async () => {
  const any = (name: string) => ask({ name, type: 255 })
  const typesOf = async (name: string) => (await any(name)).answers?.map(({ type }) => type)
  assert.deepEqual(await typesOf('www.example.com'), ['A'])
  const apex = await typesOf('example.com')
  assert.deepEqual([apex, (await any('many.net')).flag_tc], [['A'], true])
  const nothing = await any('name.example.com')
  assert.deepEqual([rcodeOf(nothing), nothing.authorities?.[0]?.type], [0, 'SOA'])
})

it('refuses zone transfers, other classes and other zones, and implements no other opcode', async () => {
  for (const type of [251, 252, 250, 128]) assert.equal(rcodeOf(await ask({ type })), 5)
  const chaos = queryOf({})
  chaos.writeUInt16BE(3, chaos.length - 2)
  assert.equal((await askUdp(chaos)).readUInt16BE(2) & 15, 5)
  for (const name of ['www.example.org', 'com']) assert.equal(rcodeOf(await ask({ name })), 5, name)
  for (const opcode of [1, 2, 4, 5, 15]) {
    const answer = await ask({ flags: opcode << 11 })
    assert.deepEqual([rcodeOf(answer), ((answer.flags ?? 0) >> 11) & 15], [4, opcode])
  }
})

it('ignores responses, and messages shorter than a header', async () => {
  await assertSilent(encode({ type: 'response', id: 1, questions: [{ name: 'a.b', type: 'A' }] }))
  await assertSilent(Buffer.alloc(11))
  await assertSilent(Buffer.alloc(0))
})

it('requires exactly one question', async () => {
  for (const count of [0, 2, 65_535]) {
    const bytes = queryOf({})
    bytes.writeUInt16BE(count, 4)
    assert.equal((await askUdp(bytes)).readUInt16BE(2) & 15, 1)
  }
  const pointer = Buffer.concat([queryOf({}).subarray(0, 12), Buffer.from([0xc0, 12, 0, 1, 0, 1])])
  assert.equal((await askUdp(pointer)).readUInt16BE(2) & 15, 1)
})

it('answers SERVFAIL while the zones cannot be looked up', async () => {
  find = () => Promise.reject(new Error('the database is away'))
  assert.equal(rcodeOf(await ask({})), 2)
  // A record that cannot be encoded costs its own answer, not the server.
  find = findIn([{ ...sample, serial: 2 ** 40 }])
  udp.send(queryOf({ type: 6 }))
  assert.equal(rcodeOf(await ask({})), 0)
  find = zones
  assert.equal(rcodeOf(await ask({})), 0)
})

it('answers many questions on one connection, whatever pieces they come in', async () => {
  const socket = connect(dns.place.port, '127.0.0.1')
  const framed = ['www.example.com', 'many.net', 'nothing.example.com'].map((name) => {
    const bytes = queryOf({ name, type: name === 'many.net' ? 2 : 1 })
    return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
  })
  const stream = Buffer.concat(framed)
  socket.setNoDelay(true)
  const cuts = [0, 1, 3, 40, 41, stream.length]
  for (const [at, cut] of cuts.entries()) socket.write(stream.subarray(cuts[at - 1] ?? 0, cut))
  socket.end()
  const received = Buffer.concat(await socket.toArray())
  const answers: DecodedPacket[] = []
  for (let at = 0; at < received.length; at += 2 + received.readUInt16BE(at))
    answers.push(decode(received.subarray(at + 2, at + 2 + received.readUInt16BE(at))))
  assert.deepEqual(
    answers.map((one) => [rcodeOf(one), one.answers?.length, one.flag_tc]),
    [
      [0, 1, false],
      [0, 13, false],
      [3, 0, false],
    ],
  )
})

it('closes a connection that sends an unanswerable message', async () => {
  const socket = connect(dns.place.port, '127.0.0.1')
  socket.write(Buffer.from([0, 3, 1, 2, 3]))
  assert.deepEqual(await socket.toArray(), [])
})

it('survives any octets, over UDP and TCP', async () => {
  const any = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
  const mutated = fc
    .tuple(
      fc.constantFrom(queryOf({}), queryOf({ edns: {} }), queryOf({ name: 'a.b', type: 6 })),
      fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 4 }),
    )
    .map(([query, changes]) => {
      const bytes = Buffer.from(query)
      for (const [at, octet] of changes) if (at < bytes.length) bytes[at] = octet
      return bytes
    })
  await fc.assert(
    fc.asyncProperty(fc.oneof(any, mutated, mutated), async (bytes) => {
      udp.send(bytes)
      const socket = connect(dns.place.port, '127.0.0.1')
      socket.end(Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]))
      const answer = Buffer.concat(await socket.toArray())
      if (answer.length === 0) return
      assert.equal(answer.readUInt16BE(0), answer.length - 2)
      const decoded = decode(answer.subarray(2))
      assert.deepEqual([decoded.flag_qr, decoded.id], [true, bytes.readUInt16BE(0)])
    }),
    { numRuns: 400 },
  )
  assert.equal(await dns.ask('www.example.com'), '192.0.2.2')
})

it('looks up no more than 64 questions at once: the rest of UDP goes unanswered, TCP gets SERVFAIL', async () => {
  let open = 0
  const release = Promise.withResolvers<void>()
  const full = Promise.withResolvers<void>()
  find = async (names) => {
    open += 1
    if (open === 64) full.resolve()
    await release.promise
    return zones(names)
  }
  const flood = createSocket('udp4')
  flood.connect(dns.place.port, '127.0.0.1')
  await once(flood, 'connect')
  for (let i = 0; i < 64; i += 1) flood.send(queryOf({}))
  await full.promise
  udp.send(queryOf({}))
  const socket = connect(dns.place.port, '127.0.0.1')
  const bytes = queryOf({})
  socket.end(Buffer.concat([Buffer.from([0, bytes.length]), bytes]))
  const decoded = Buffer.concat(await socket.toArray())
  assert.equal(rcodeOf(decode(decoded.subarray(2))), 2)
  find = zones
  release.resolve()
  assert.equal((await ask({ name: 'example.com' })).questions?.[0]?.name, 'example.com')
  assert.equal(open, 64)
  flood.close()
})
