// Messages as they are read: from any sender, complete, with updates, EDNS and TSIG, and malformed.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { nameFromWire, nameToWire } from '../name.ts'
import { octets, rdatas, wireNames } from '../rdata/rdata.fixture.ts'
import { type Message, readMessage, rrClass } from './read-message.ts'
import { MessageWriter, type WireRecord } from './write-message.ts'

const question = Buffer.concat([nameToWire('wWw.Example.com'), Buffer.from([0, 1, 0, 1])])
const head = { id: 4711, flags: 0x8500, question }
const root = Buffer.of(0)

function read(bytes: Buffer): Message {
  const message = readMessage(bytes)
  assert.ok(!('problem' in message), JSON.stringify(message))
  return message
}

function problem(bytes: Buffer): string {
  const message = readMessage(bytes)
  assert.ok('problem' in message, 'It was read.')
  return message.problem
}

function written(...records: readonly Omit<WireRecord, 'ttl'>[]): Buffer {
  const writer = new MessageWriter(head)
  assert.ok(
    writer.add(
      'additional',
      records.map((record) => ({ ttl: 0, ...record })),
    ),
  )
  return writer.finish()
}

describe('a message', () => {
  it('has its header, its question in lower case and as it was sent, and its sections', () => {
    const writer = new MessageWriter(head)
    const mx = Buffer.concat([Buffer.of(0, 10), nameToWire('MAIL.example.com')])
    const name = nameToWire('WWW.example.com')
    writer.add('answer', [{ name, type: 15, ttl: 300, rdata: mx }])
    writer.add('authority', [{ name, type: 2, ttl: 60, rdata: nameToWire('ns.example.com') }])
    writer.add('additional', [{ name, type: 1, ttl: 2 ** 32 - 1, rdata: Buffer.of(192, 0, 2, 1) }])
    const { id, flags, opcode, rcode, questions, ...sections } = read(writer.finish())
    assert.deepEqual([id, flags, opcode, rcode], [4711, 0x8500, 0, 0])
    assert.deepEqual(questions, [{ name: 'www.example.com', type: 1, class: 1, octets: question }])
    const value = { rdata: Buffer.concat([Buffer.of(0, 10), nameToWire('mail.example.com')]) }
    const common = { name: 'www.example.com', class: 1 }
    assert.deepEqual(sections, {
      answer: [{ ...common, type: 15, ttl: 300, value }],
      authority: [{ ...common, type: 2, ttl: 60, value: { rdata: nameToWire('ns.example.com') } }],
      additional: [
        { ...common, type: 1, ttl: 2 ** 32 - 1, value: { rdata: Buffer.of(192, 0, 2, 1) } },
      ],
      edns: null,
      tsig: null,
    })
  })

  it('has EDNS apart, with its bits of the RCODE', () => {
    const opt = { name: root, type: 41, class: 4096, ttl: 0x01_02_80_00, rdata: Buffer.of(1, 2) }
    const { edns, rcode, additional } = read(written(opt))
    assert.deepEqual(edns, { size: 4096, version: 2, dnssec_ok: true, options: Buffer.of(1, 2) })
    assert.deepEqual([rcode, additional], [16, []])
  })

  it('of an update has records without data, and their classes', () => {
    const name = nameToWire('a.example.com')
    const none = { name, type: 1, rdata: Buffer.of() }
    const bytes = written(
      { ...none, class: rrClass.any },
      { ...none, class: rrClass.none },
      { ...none, type: 255, class: rrClass.any },
      { ...none, class: rrClass.none, rdata: Buffer.of(192, 0, 2, 1) },
    )
    const records = read(bytes).additional
    assert.deepEqual(
      records.map(({ class: of, type, value }) => [
        of,
        type,
        'rdata' in value && value.rdata.length,
      ]),
      [
        [255, 1, 0],
        [254, 1, 0],
        [255, 255, 0],
        [254, 1, 4],
      ],
    )
  })

  it('has a record whose data is malformed, beside others', () => {
    const name = nameToWire('a.example.com')
    const good = { name, type: 1, rdata: Buffer.of(192, 0, 2, 1) }
    const { additional } = read(written({ ...good, rdata: Buffer.of(1) }, good))
    assert.deepEqual(
      additional.map(({ value }) => value),
      [{ problem: 'The data ends before the end of its IPv4 address.' }, { rdata: good.rdata }],
    )
  })

  it('has names without compression, also where only some senders compress them', () => {
    const target = Buffer.from([0, 1, 0, 2, 0, 3, 0xc0, 12])
    const { additional } = read(written({ name: root, type: 33, rdata: target }))
    const rdata = Buffer.concat([target.subarray(0, 6), nameToWire('www.example.com')])
    assert.deepEqual(additional[0]?.value, { rdata })
  })
})

describe('a malformed message', () => {
  const opt = { name: root, type: 41, rdata: Buffer.of() }
  const whole = written({ name: nameToWire('example.com'), type: 1, rdata: Buffer.of(1, 2, 3, 4) })
  const counted = (at: number, count: number) => {
    const bytes = Buffer.from(whole)
    bytes.writeUInt16BE(count, at)
    return bytes
  }

  const refused: [title: string, bytes: Buffer, sentence: RegExp][] = [
    ['two records of EDNS', written(opt, opt), /two records of EDNS/],
    ['EDNS with a name', written({ ...opt, name: nameToWire('a') }), /EDNS, or one with a name/],
    ['octets after its end', Buffer.concat([whole, root]), /1 octets after/],
    ['more questions than there are', counted(4, 65_535), /./],
    ['more records than there are', counted(10, 65_535), /./],
    ['fewer records than there are', counted(10, 0), /octets after/],
    [
      'a TSIG that is not last',
      written({ ...opt, type: 250, class: rrClass.any }, opt),
      /not the last/,
    ],
    ['a TSIG of another class', written({ ...opt, type: 250 }), /not the last/],
    ['a TSIG without data', written({ ...opt, type: 250, class: rrClass.any }), /./],
  ]
  for (const [title, bytes, sentence] of refused)
    it(`has ${title}`, () => {
      assert.match(problem(bytes), sentence)
    })

  it('has EDNS or TSIG among its answers', () => {
    for (const type of [41, 250]) {
      const writer = new MessageWriter(head)
      writer.add('answer', [{ ...opt, type, ttl: 0 }])
      assert.match(problem(writer.finish()), /another section/)
    }
  })

  it('still has its id, unless it has not even a header', () => {
    const { length } = whole
    for (let end = 0; end < length; end += 1) {
      const message = readMessage(whole.subarray(0, end))
      assert.ok('problem' in message)
      assert.deepEqual(message.head, end < 12 ? null : { id: 4711, flags: 0x8500 })
    }
  })
})

describe('any octets', () => {
  it('are a message, or have a problem', () => {
    const counts = fc.array(fc.nat({ max: 3 }), { minLength: 4, maxLength: 4 })
    const body = fc.oneof(octets({ min: 0, max: 80 }), wireNames)
    const message = fc.tuple(counts, body).map(([four, rest]) => {
      return Buffer.concat([Buffer.of(0, 1, 0x28, 0, ...four.flatMap((count) => [0, count])), rest])
    })
    fc.assert(
      fc.property(fc.oneof(octets({ min: 0, max: 200 }), message), (bytes) => {
        readMessage(bytes)
      }),
      { numRuns: 3000 },
    )
  })

  it('that are changed within a message do not break the rest of the program', () => {
    const records = fc.array(recordsOfAll, { minLength: 1, maxLength: 8 })
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 4 })
    fc.assert(
      fc.property(records, changes, (some, changed) => {
        const writer = new MessageWriter(head)
        writer.add('additional', some)
        const bytes = writer.finish()
        for (const [at, octet] of changed) bytes[at % bytes.length] = octet
        readMessage(bytes)
      }),
      { numRuns: 1000 },
    )
  })
})

const recordsOfAll = fc
  .constantFrom(...rdatas)
  .chain(([type, rdata]) =>
    fc.record({ name: wireNames, type: fc.constant(type), ttl: fc.nat(), rdata }),
  )

it('reads what is written, of every type', () => {
  fc.assert(
    fc.property(fc.array(recordsOfAll, { maxLength: 12 }), (records) => {
      const writer = new MessageWriter(head)
      const added = records.filter((record) => writer.add('answer', [record]))
      assert.deepEqual(
        read(writer.finish()).answer,
        added.map(({ name, rdata, ...rest }) => {
          return { ...rest, class: 1, name: nameFromWire(name, 0).name, value: { rdata } }
        }),
      )
    }),
  )
})
