// Questions to name servers on real sockets: to ours, and to ones that answer as no server should.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, it } from 'node:test'
import fc from 'fast-check'
import { pino } from 'pino'
import { MessageWriter } from '../../../dns/message/write-message.ts'
import { nameToWire } from '../../../dns/name.ts'
import { openEmbeddedDns } from '../server/dns-server.ts'
import { address, glue, pointing, sample, storeOf } from '../zones.fixture.ts'
import { askAddress, askSet } from './dns-lookup.ts'

const long = Array.from({ length: 100 }, (_, i) => Buffer.from([4, 0x61, 0x62, 0x63, i]))
const hosts = ['ns.sub.example.com', 'ns.other.net']
const sets = [
  { name: 'example.com', type: 16, ttl: 60, rdata: long },
  { name: 'sub.example.com', type: 2, ttl: 300, rdata: hosts.map(nameToWire) },
  address('ns.sub.example.com', '192.0.2.7'),
  address('www.example.com', '192.0.2.2'),
  pointing('alias.example.com', 5, 'www.example.com'),
  address('*.star.example.com', '192.0.2.4'),
]
const place = { host: '127.0.0.1', port: 0 }
const log = pino({ level: 'silent' })
const dns = await openEmbeddedDns({ place, store: storeOf([{ ...sample, sets }]), glue, log })
after(() => dns.close())

it('returns the set with its code and time to live, names written out', async () => {
  const served = (rcode: number, ttl: number, ...rdata: Buffer[]) => ({ rcode, ttl, rdata })
  const www = served(0, 300, Buffer.from([192, 0, 2, 2]))
  assert.deepEqual(await dns.askSet('WWW.example.com', 1), www)
  assert.deepEqual(
    await dns.askSet('alias.example.com', 5),
    served(0, 300, nameToWire('www.example.com')),
  )
  assert.deepEqual(await dns.askSet('alias.example.com', 1), served(0, 0))
  assert.deepEqual(await dns.askSet('www.example.com', 28), served(0, 0))
  assert.deepEqual(await dns.askSet('nothing.example.com', 1), served(3, 0))
  assert.deepEqual(await dns.askSet('www.example.net', 1), served(5, 0))
  assert.deepEqual(
    await dns.askSet('*.star.example.com', 1),
    served(0, 300, Buffer.from([192, 0, 2, 4])),
  )
  const soa = await dns.askSet('example.com', 6)
  const names = Buffer.concat(['ns1.example.com', 'hostmaster.example.com'].map(nameToWire))
  assert.deepEqual(soa?.rdata[0]?.subarray(0, names.length), names)
})

it('finds the set of a delegation, and its glue, in the referral', async () => {
  const delegation = await dns.askSet('sub.example.com', 2)
  assert.deepEqual(delegation?.rdata, hosts.map(nameToWire))
  const glued = await dns.askSet('ns.sub.example.com', 1)
  assert.deepEqual(glued?.rdata, [Buffer.from([192, 0, 2, 7])])
})

it('asks again over TCP where the answer was too large', async () => {
  assert.deepEqual(await dns.askSet('example.com', 16), { rcode: 0, ttl: 60, rdata: long })
})

/** A server that answers each question over UDP with the result of `reply`. */
async function answering(reply: (question: Buffer) => Buffer) {
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => socket.send(reply(message), from.port, from.address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { place: { host: '127.0.0.1', port: socket.address().port }, close: () => socket.close() }
}

const isQuestion = { start: 12, end: 12 + nameToWire('a.example').length + 4 }
const answerOf = (message: Buffer, flags: number, rdata: Buffer) => {
  const question = message.subarray(isQuestion.start, isQuestion.end)
  const writer = new MessageWriter({ id: message.readUInt16BE(0), flags, question })
  writer.add('answer', [{ name: nameToWire('A.example'), type: 1, ttl: 5, rdata }])
  return writer.finish()
}

it('believes no answer to another question, and none that is broken', async () => {
  const broken: ((message: Buffer) => Buffer)[] = [
    (message) => message,
    () => Buffer.alloc(0),
    (message) => answerOf(message, 0x8000, Buffer.alloc(4)).subarray(0, -1),
    (message) => {
      const other = answerOf(message, 0x8000, Buffer.alloc(4))
      other.writeUInt16BE((message.readUInt16BE(0) + 1) & 0xffff, 0)
      return other
    },
    (message) => {
      const other = answerOf(message, 0x8000, Buffer.alloc(4))
      other[13] = 0x62
      return other
    },
    // No server listens there over TCP.
    (message) => answerOf(message, 0x8200, Buffer.alloc(4)),
  ]
  await Promise.all(
    broken.map(async (reply, i) => {
      const server = await answering(reply)
      assert.equal(await askSet(server.place, 'a.example', 1), null, String(i))
      server.close()
    }),
  )
})

it('returns an address only where there are four octets', async () => {
  for (const [size, expected] of [
    [4, '0.0.0.0'],
    [3, null],
    [16, null],
  ] as const) {
    const server = await answering((message) => answerOf(message, 0x8400, Buffer.alloc(size)))
    assert.equal(await askAddress(server.place, 'a.example'), expected)
    server.close()
  }
})

it('survives any octets as an answer', async () => {
  let octets = Buffer.alloc(0)
  const server = await answering((message) => {
    const answer = answerOf(message, 0x8400, Buffer.alloc(4))
    return Buffer.concat([answer.subarray(0, isQuestion.end), octets])
  })
  const any = fc.uint8Array({ maxLength: 60 })
  const property = fc.asyncProperty(any, async (some) => {
    octets = Buffer.from(some)
    const served = await askSet(server.place, 'a.example', 1)
    assert.ok(served === null || served.rdata.length <= 1)
  })
  await fc.assert(property, { numRuns: 200 })
  server.close()
})
