// Messages as they are written: read back by dns-packet, and compared octet by octet where
// compression matters.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decode } from 'dns-packet'
import fc from 'fast-check'
import { MessageWriter, type WireRecord } from './write-message.ts'

const wire = (name: string) =>
  Buffer.concat([
    ...name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]),
    Buffer.alloc(name === '' ? 0 : 1),
  ])
const question = (name: string) => Buffer.concat([wire(name), Buffer.from([0, 1, 0, 1])])
const head = { id: 4711, flags: 0x8400, question: question('wWw.example.com') }
const record = (name: string, type: number, rdata: Buffer): WireRecord => {
  return { name: wire(name), type, ttl: 300, rdata }
}
const a = (name: string) => record(name, 1, Buffer.from([192, 0, 2, 1]))

/** The name at a place of a message, in wire form; pointers lead strictly backwards. */
function nameAt(bytes: Buffer, start: number): { name: Buffer; end: number } {
  const parts: Buffer[] = []
  let end: number | undefined
  for (let at = start, before = start; ; ) {
    const size = bytes[at] ?? 0
    if (size >= 0xc0) {
      end ??= at + 2
      at = bytes.readUInt16BE(at) & 0x3fff
      assert.ok(at < before, `a pointer to ${at} at ${before}`)
      before = at
      continue
    }
    parts.push(bytes.subarray(at, at + 1 + size))
    at += 1 + size
    if (size === 0) return { name: Buffer.concat(parts), end: end ?? at }
  }
}

/** The records of a message with names in RDATA written out, as the writer received them. */
function recordsIn(bytes: Buffer, questionSize: number): WireRecord[] {
  const counts = [6, 8, 10].map((at) => bytes.readUInt16BE(at))
  let at = 12 + questionSize
  const before = new Map([2, 5, 12].map((type): [number, number] => [type, 0])).set(6, 0).set(15, 2)
  const read = counts.flatMap((count) =>
    Array.from({ length: count }, () => {
      const { name, end } = nameAt(bytes, at)
      const [type, of, ttl] = [end, end + 2]
        .map((i) => bytes.readUInt16BE(i))
        .concat(bytes.readUInt32BE(end + 4))
      const from = end + 10
      at = from + bytes.readUInt16BE(end + 8)
      const parts: Buffer[] = []
      let next = from
      const fixed = before.get(type ?? 0)
      if (fixed !== undefined) {
        next += fixed
        parts.push(bytes.subarray(from, next))
        for (let i = 0; i < (type === 6 ? 2 : 1); i += 1) {
          const inner = nameAt(bytes, next)
          parts.push(inner.name)
          next = inner.end
        }
      }
      parts.push(bytes.subarray(next, at))
      return { name, type: type ?? 0, class: of ?? 0, ttl: ttl ?? 0, rdata: Buffer.concat(parts) }
    }),
  )
  assert.equal(at, bytes.length)
  return read
}

describe('a message', () => {
  it('has its head, its question octet by octet, and its records by section', () => {
    const writer = new MessageWriter(head)
    const mx = Buffer.concat([Buffer.from([0, 10]), wire('mail.example.com')])
    assert.ok(writer.add('answer', [record('wWw.example.com', 15, mx)]))
    assert.ok(writer.add('authority', [record('example.com', 2, wire('ns1.example.com'))]))
    assert.ok(writer.add('additional', [a('mail.example.com'), a('ns1.example.com')]))
    const opt = {
      name: Buffer.alloc(1),
      type: 41,
      class: 1232,
      ttl: 0x8000,
      rdata: Buffer.alloc(0),
    }
    assert.ok(writer.add('additional', [opt]))
    const bytes = writer.finish()
    assert.equal(bytes.length, writer.length)
    assert.deepEqual(bytes.subarray(12, 12 + head.question.length), head.question)
    const { id, flag_aa, answers, authorities, additionals, questions } = decode(bytes)
    assert.deepEqual([id, flag_aa, questions?.[0]?.name], [4711, true, 'wWw.example.com'])
    const [answer] = answers ?? []
    assert.deepEqual([answer?.name, answer?.type], ['wWw.example.com', 'MX'])
    assert.deepEqual(answer?.type === 'MX' && answer.data, {
      preference: 10,
      exchange: 'mail.example.com',
    })
    const names = [authorities, additionals].map((list) => list?.map(({ name }) => name))
    assert.deepEqual(names, [['example.com'], ['mail.example.com', 'ns1.example.com', '.']])
    const [, , last] = additionals ?? []
    assert.equal(last?.type === 'OPT' && last.udpPayloadSize === 1232 && last.flag_do, true)
  })

  it('has no question where none is given, and flags that are set later', () => {
    const writer = new MessageWriter({ id: 1, flags: 0x8000, question: Buffer.alloc(0) })
    writer.add('answer', [a('example.com')])
    writer.setFlags(0x0200)
    const { questions, answers, flag_tc, flag_qr } = decode(writer.finish())
    assert.deepEqual([questions?.length, answers?.length, flag_tc, flag_qr], [0, 1, true, true])
  })
})

describe('compression', () => {
  it('points owner names at the question, at each other, and at names in RDATA', () => {
    const writer = new MessageWriter(head)
    writer.add('answer', [record('wWw.example.com', 5, wire('a.b.example.com'))])
    writer.add('answer', [record('a.b.example.com', 5, wire('c.b.example.com'))])
    writer.add('answer', [a('c.b.example.com'), a('x.c.b.example.com')])
    const bytes = writer.finish()
    const starts = [2 + 10, 6, 2 + 10, 4, 2 + 14, 4 + 14].reduce((sum, size) => sum + size, 0)
    assert.equal(bytes.length, 12 + head.question.length + starts)
    assert.deepEqual(
      decode(bytes).answers?.map(({ name }) => name),
      ['wWw.example.com', 'a.b.example.com', 'c.b.example.com', 'x.c.b.example.com'],
    )
  })

  it('keeps the case of every name', () => {
    const writer = new MessageWriter(head)
    writer.add('answer', [a('WWW.example.com'), a('WWW.EXAMPLE.com')])
    const names = recordsIn(writer.finish(), head.question.length).map(({ name }) => name)
    assert.deepEqual(names, [wire('WWW.example.com'), wire('WWW.EXAMPLE.com')])
  })

  it('leaves RDATA of other types alone, and RDATA that is no name (RFC 3597 part 4)', () => {
    const target = Buffer.concat([Buffer.from([0, 1, 0, 2, 0, 3]), wire('www.example.com')])
    const broken = [Buffer.from([3, 119]), Buffer.alloc(0), Buffer.from([0xc0, 12])]
    const records = [
      record('s.example.com', 33, target),
      record('t.example.com', 65280, wire('www.example.com')),
      ...broken.flatMap((rdata) => [2, 6, 15].map((type) => record('example.com', type, rdata))),
    ]
    const writer = new MessageWriter(head)
    writer.add('answer', records)
    const bytes = writer.finish()
    for (const { rdata } of records) assert.ok(bytes.includes(rdata))
    assert.equal(bytes.readUInt16BE(6), records.length)
  })

  it('points at nothing behind the 14 bits of a pointer', () => {
    const writer = new MessageWriter(head)
    const large = { name: wire('big.test'), type: 16, ttl: 1, rdata: Buffer.alloc(17_000) }
    const late = [a('late.example'), a('late.example')]
    writer.add('answer', [large, ...late])
    const read = recordsIn(writer.finish(), head.question.length)
    assert.deepEqual(
      read.slice(1).map(({ name }) => name),
      late.map(({ name }) => name),
    )
  })
})

describe('the limit', () => {
  it('is kept by whole sets: one that does not fit leaves no trace', () => {
    const rdata = wire('ns1.other.test')
    const alone = new MessageWriter(head)
    alone.add('answer', [a('small.other.test')])
    const size = alone.length
    const writer = new MessageWriter(head, size)
    assert.equal(writer.add('answer', [a('x.other.test'), record('other.test', 2, rdata)]), false)
    assert.equal(writer.length, 12 + head.question.length)
    assert.equal(writer.add('answer', [a('small.other.test')], 1), false)
    assert.equal(writer.add('answer', [a('small.other.test')]), true)
    assert.deepEqual(writer.finish(), alone.finish())
  })

  it('is never above what the length over TCP can say', () => {
    const writer = new MessageWriter(head, 1_000_000)
    const large = { name: wire('big.test'), type: 16, ttl: 1, rdata: Buffer.alloc(60_000) }
    assert.deepEqual([writer.add('answer', [large]), writer.add('answer', [large])], [true, false])
    assert.equal(decode(writer.finish()).answers?.length, 1)
  })
})

it('throws for a section that comes before what was written, and for an RDATA too large', () => {
  const writer = new MessageWriter(head)
  writer.add('authority', [a('example.com')])
  assert.throws(() => writer.add('answer', [a('example.com')]), /answer section after/)
  const huge = { name: wire('big.test'), type: 16, ttl: 1, rdata: Buffer.alloc(65_536) }
  assert.throws(() => writer.add('authority', [huge]), /RDATA of 65536/)
})

it('writes any records so that they are read the same, whatever octets their names have', () => {
  const label = fc.oneof(
    fc.constantFrom('a', 'b', 'www', 'A').map((text) => Buffer.from(text)),
    fc.uint8Array({ minLength: 1, maxLength: 63 }).map((octets) => Buffer.from(octets)),
  )
  const name = fc.array(label, { maxLength: 3 }).map((labels) => {
    const sized = labels.flatMap((one) => [Buffer.from([one.length]), one])
    return Buffer.concat([...sized, Buffer.alloc(1)])
  })
  const octets = fc.uint8Array({ maxLength: 40 }).map((some) => Buffer.from(some))
  const rdata = (type: number) => {
    if ([2, 5, 12].includes(type)) return name
    if (type === 15) return name.map((one) => Buffer.concat([Buffer.alloc(2, 7), one]))
    if (type !== 6) return octets
    return fc.tuple(name, name).map((two) => Buffer.concat([...two, Buffer.alloc(20, 1)]))
  }
  const any = fc
    .constantFrom(1, 2, 5, 6, 12, 15, 16, 33, 65, 65280)
    .chain((type) =>
      fc
        .tuple(name, fc.nat(2 ** 32 - 1), rdata(type))
        .map(([owner, ttl, data]) => ({ name: owner, type, class: 1, ttl, rdata: data })),
    )
  const property = fc.property(name, fc.array(any, { maxLength: 20 }), (asked, records) => {
    const one = Buffer.concat([asked, Buffer.from([0, 1, 0, 1])])
    const writer = new MessageWriter({ id: 1, flags: 0, question: one }, 800)
    const added = records.filter((each) => writer.add('answer', [each]))
    const bytes = writer.finish()
    assert.ok(bytes.length <= 800)
    assert.deepEqual(recordsIn(bytes, one.length), added)
  })
  fc.assert(property, { numRuns: 300 })
})
