// Zone files as they are written: their order, and that reading them returns the same.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { nameFromWire, nameToWire } from '../name.ts'
import { rdatas, wireNames } from '../rdata/rdata.fixture.ts'
import { readZoneFile } from './read-zone-file.ts'
import { type RecordSet, writeZoneFile } from './write-zone-file.ts'

const a = (name: string, type = 1): RecordSet => {
  return { name, type, ttl: 300, rdata: [Buffer.from([192, 0, 2, 2]), Buffer.from([192, 0, 2, 1])] }
}

describe('a written zone file', () => {
  it('has the SOA, then the names in canonical order (RFC 4034 section 6.1)', () => {
    const names = ['*.z.example', '\\200.z.example', 'z.example', 'a.example', 'yljkjljk.a.example']
    const soa = nameToWire('ns1.example')
    const text = writeZoneFile({
      origin: 'example',
      sets: [...names, '\\001.z.example', 'zabc.a.example'].map((name) => a(name)),
      soa: { ttl: 60, rdata: Buffer.concat([soa, soa, Buffer.alloc(20, 1)]) },
      ns: { ttl: 90, rdata: [soa] },
    })
    const number = 0x01010101
    assert.equal(
      text,
      [
        '$ORIGIN example.',
        `example. 60 IN SOA ns1.example. ns1.example. ${Array(5).fill(number).join(' ')}`,
        'example. 90 IN NS ns1.example.',
        ...['a', 'yljkjljk.a', 'zabc.a', 'z', '\\001.z', '*.z', '\\200.z'].flatMap((name) =>
          [1, 2].map((last) => `${name}.example. 300 IN A 192.0.2.${last}`),
        ),
        '',
      ].join('\n'),
    )
  })

  it('orders the sets of a name by type, and knows more names than the API', () => {
    const set = (type: number, rdata: Buffer) => ({ name: 'example', type, ttl: 1, rdata: [rdata] })
    const sets = [
      set(65_280, Buffer.from([1])),
      set(13, Buffer.from([1, 97, 1, 98])),
      set(12, nameToWire('a')),
      set(1, Buffer.from([192, 0, 2, 1])),
    ]
    assert.equal(
      writeZoneFile({ origin: 'example', sets }),
      [
        '$ORIGIN example.',
        'example. 1 IN A 192.0.2.1',
        'example. 1 IN PTR a.',
        'example. 1 IN TYPE13 \\# 4 01610162',
        'example. 1 IN TYPE65280 \\# 1 01',
        '',
      ].join('\n'),
    )
  })

  it('is read the same, whatever its names and values', () => {
    const origin = 'example.com'
    const name = wireNames
      .filter((wire) => wire.length < 200)
      .map((wire) => nameFromWire(wire, 0).name)
      .map((labels) => (labels === '.' ? origin : `${labels}.${origin}`))
    const record = fc.constantFrom(...rdatas).chain(([type, values]) =>
      fc.record({
        name,
        type: fc.constant(type),
        ttl: fc.nat({ max: 2 ** 31 - 1 }),
        rdata: values.map((value) => [value]),
      }),
    )
    fc.assert(
      fc.property(fc.array(record, { maxLength: 20 }), (sets) => {
        const text = writeZoneFile({ origin, sets })
        const read = readZoneFile(text, { origin, default_ttl: 1 })
        assert.ok('records' in read, JSON.stringify(read))
        const key = ({ name, type, ttl }: RecordSet, value?: Buffer) =>
          `${name} ${type} ${ttl} ${value?.toString('hex')}`
        const got = read.records.map((one) => key({ ...one, rdata: [] }, one.rdata))
        assert.deepEqual(got.sort(), sets.map((set) => key(set, set.rdata[0])).sort())
      }),
    )
  })
})
