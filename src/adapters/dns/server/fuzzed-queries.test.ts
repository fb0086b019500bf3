// Arbitrary octets as a query: the server never fails, and answers nothing that is not in the zone.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { readRecords } from '../../../dns/message/read-records.ts'
import { MessageWriter } from '../../../dns/message/write-message.ts'
import { rrType } from '../../../dns/types.ts'
import { zone } from '../answers/answer.fixture.ts'
import { answerTo } from '../answers/answer.ts'
import { emptyReply } from '../answers/reply.ts'
import { isIn } from '../stored-names.ts'
import { nameserversOf, soaOf } from '../zone-defaults.ts'
import { glue, storeOf } from '../zones.fixture.ts'
import { readQuery } from './dns-query.ts'
import { type Transport, writeReply } from './write-reply.ts'

const store = storeOf([zone])
const glued = [...glue.values()].map((address) => Buffer.from(address.split('.').map(Number)))
const known = new Set(
  [...zone.sets, soaOf(zone), nameserversOf(zone), { type: rrType.a, rdata: glued }].flatMap(
    ({ type, rdata }) => rdata.map((one) => `${type} ${one.toString('hex')}`),
  ),
)

async function answered(message: Buffer, transport: Transport): Promise<Buffer | null> {
  const query = readQuery(message)
  if (!query) return null
  if ('rcode' in query) return writeReply(query, emptyReply(query.rcode), transport)
  return writeReply(query, await answerTo(query.question_of, { store, glue }), transport)
}

const octets = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes))
const labels = zone.sets.flatMap(({ name }) => name.split('.')).concat('nothing', 'EXAMPLE')
const label = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...labels).map((text) => Buffer.from(text)) },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ minLength: 1, maxLength: 63 }).map((bytes) => Buffer.from(bytes)),
  },
)
const asked = fc
  .tuple(fc.array(label, { maxLength: 4 }), fc.constantFrom('example', 'Example', 'other'))
  .map(([own, parent]) => {
    const all = [...own, Buffer.from(parent), Buffer.from('com')]
    const sized = all.flatMap((one) => [Buffer.of(one.length), one])
    return Buffer.concat([...sized, Buffer.of(0)])
  })
const types = fc.oneof(fc.constantFrom(...zone.sets.map(({ type }) => type), 255), fc.nat(65_535))
const opt = fc.option(fc.tuple(fc.nat(65_535), fc.nat(2 ** 32 - 1), octets(30)))

const usual = fc.tuple(asked, types, opt, fc.boolean()).map(([name, type, edns, desired]) => {
  const fixed = Buffer.from([type >> 8, type & 255, 0, 1])
  const question = Buffer.concat([name, fixed])
  const writer = new MessageWriter({ id: 4711, flags: desired ? 0x0100 : 0, question })
  const root = Buffer.of(0)
  if (edns) {
    const [size, ttl, rdata] = edns
    writer.add('additional', [{ name: root, type: rrType.opt, class: size, ttl, rdata }])
  }
  return writer.finish()
})
const changed = fc
  .tuple(usual, fc.array(fc.tuple(fc.nat(80), fc.nat(255)), { maxLength: 4 }), fc.nat(90))
  .map(([query, changes, length]) => {
    const bytes = Buffer.from(query)
    for (const [at, octet] of changes) if (at < bytes.length) bytes[at] = octet
    return bytes.subarray(0, length > 60 ? bytes.length : length)
  })

const property = fc.asyncProperty(
  fc.oneof({ weight: 4, arbitrary: usual }, changed, octets(300)),
  fc.constantFrom<Transport>('udp', 'tcp'),
  async (message, transport) => {
    const answer = await answered(message, transport)
    if (answer === null)
      return assert.ok(message.length < 12 || (message.readUInt16BE(2) & 0x8000) !== 0)
    const [flags, own] = [message.readUInt16BE(2), answer.readUInt16BE(2)]
    assert.equal(answer.readUInt16BE(0), message.readUInt16BE(0))
    // The opcode and RD are repeated, QR is set, and RA, Z, AD and CD are never set.
    assert.equal(own & 0xf9f0, (flags & 0x7900) | 0x8000)
    assert.ok(transport === 'tcp' || answer.length <= 1232)
    const questionSize = answer.readUInt16BE(4) === 1 ? endOfQuestion(answer) - 12 : 0
    const question = answer.subarray(12, 12 + questionSize)
    assert.deepEqual(question, message.subarray(12, 12 + questionSize))
    const records = readRecords(answer, 12 + questionSize)
    assert.ok(records)
    for (const { name, type, rdata } of records.filter((one) => one.type !== rrType.opt)) {
      assert.ok(known.has(`${type} ${rdata.toString('hex')}`))
      assert.ok(isIn(name, zone.name) || isIn(name, 'ns2.example.net'))
    }
    // No answer is authoritative for a name that is in no zone.
    if ((own & 0x0400) !== 0) assert.ok(isIn(question.subarray(0, -4), zone.name))
  },
)

function endOfQuestion(answer: Buffer): number {
  let at = 12
  while ((answer[at] ?? 0) > 0) at += 1 + (answer[at] ?? 0)
  return at + 5
}

it('answers any query in form, and only with records of the zone', () =>
  fc.assert(property, { numRuns: 3_000 }))
