// The name server on real sockets: conformance to the RFCs, and robustness against malformed
// messages.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { it } from 'node:test'
import { type DecodedPacket, decode, encode } from 'dns-packet'
import fc from 'fast-check'
import type { ZoneStore } from '../port.ts'
import { sample, storeOf } from '../zones.fixture.ts'
import {
  ask,
  askUdp,
  dns,
  optIn,
  queryOf,
  rcodeOf,
  serve,
  udp,
  zones,
} from './dns-server.fixture.ts'

/** The bytes were not answered, since the next answer is that of a question after them. */
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
    const negative = await askUdp(odd)
    assert.deepEqual(negative.subarray(12, odd.length), odd.subarray(12))
    assert.equal(negative.readUInt16BE(2) & 15, 3)
    const star = queryOf({ name: 'w?w.star.example.com' })
    star[14] = octet
    const positive = await askUdp(star)
    assert.deepEqual([positive.readUInt16BE(2) & 15, positive.readUInt16BE(6)], [0, 1])
    // The owner is the name as the question wrote it.
    assert.equal(positive.readUInt16BE(star.length), 0xc00c)
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

it('ignores all options, whatever is in them', async () => {
  for (let code = 0; code < 20; code += 1)
    for (const length of [0, 1, 2, 3, 5, 8]) {
      const bytes = queryOf({ edns: {} })
      const head = Buffer.from([0, 4 + length, 0, code, 0, length])
      const query = Buffer.concat([bytes.subarray(0, -2), head, Buffer.alloc(length, 255)])
      const answer = decode(await askUdp(query))
      assert.equal(answer.answers?.length, 1, `option ${code} of ${length} octets`)
    }
  const cut = Buffer.concat([queryOf({ edns: {} }).subarray(0, -2), Buffer.from([0, 2, 0, 10])])
  assert.equal(rcodeOf(decode(await askUdp(cut))), 1)
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
  serve({ ...zones, find: () => Promise.reject(new Error('the database is away')) })
  assert.equal(rcodeOf(await ask({})), 2)
  // A record that cannot be encoded only fails its own answer, not the server.
  serve(storeOf([{ ...sample, serial: 2 ** 40 }]))
  assert.equal(rcodeOf(await ask({ name: 'example.com', type: 6 })), 2)
  assert.equal(rcodeOf(await ask({})), 0)
  serve()
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
  const find: ZoneStore['find'] = async (names, type) => {
    open += 1
    if (open === 64) full.resolve()
    await release.promise
    return zones.find(names, type)
  }
  serve({ ...zones, find })
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
  serve()
  release.resolve()
  assert.equal((await ask({ name: 'example.com' })).questions?.[0]?.name, 'example.com')
  assert.equal(open, 64)
  flood.close()
})
