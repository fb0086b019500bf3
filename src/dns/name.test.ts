// Domain names between presentation and octets.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { expandName, nameFromWire, nameToWire, parseName } from './name.ts'
import { DnsProblem } from './problem.ts'
import { wireNames } from './rdata/rdata.fixture.ts'

const label63 = 'a'.repeat(63)

describe('domain names', () => {
  it('writes octets and reads them', () => {
    const wire = Buffer.from('\x03www\x07example\x03com\0', 'latin1')
    assert.deepEqual(nameToWire('www.example.com'), wire)
    assert.deepEqual(nameToWire('www.example.com.'), wire)
    assert.deepEqual(nameFromWire(Buffer.concat([Buffer.of(9), wire]), 1), {
      name: 'www.example.com',
      end: 18,
    })
    assert.deepEqual(nameToWire('.'), Buffer.of(0))
    assert.deepEqual(nameFromWire(Buffer.of(0), 0), { name: '.', end: 1 })
  })

  it('escapes dots, the signs of zone files and octets that are not printable', () => {
    const wire = Buffer.concat([
      Buffer.of(10),
      Buffer.from('a.\\";()@$\xff', 'latin1'),
      Buffer.of(0),
    ])
    const name = 'a\\.\\\\\\"\\;\\(\\)\\@\\$\\255'
    assert.equal(nameFromWire(wire, 0).name, name)
    assert.deepEqual(nameToWire(name), wire)
  })

  const parsed: [text: string, origin: string | null, name: string][] = [
    ['WWW', 'example.com', 'www.example.com'],
    ['www.', 'example.com', 'www'],
    ['www', null, 'www'],
    ['@', 'example.com', 'example.com'],
    ['.', 'example.com', '.'],
    ['a', '.', 'a'],
    ['a\\.b', 'example.com', 'a\\.b.example.com'],
    ['a\\046b', 'example.com', 'a\\.b.example.com'],
    ['\\065', null, 'a'],
    ['*', 'example.com', '*.example.com'],
    ['_acme-challenge', 'example.com', '_acme-challenge.example.com'],
    [
      `${label63}.${label63}.${label63}.${'a'.repeat(61)}`,
      null,
      `${label63}.${label63}.${label63}.${'a'.repeat(61)}`,
    ],
  ]
  for (const [text, origin, name] of parsed)
    it(`parses ${text.slice(0, 20)} below ${origin}`, () => {
      assert.deepEqual(parseName(text, origin), { name })
    })

  const refused: [text: string, sentence: RegExp][] = [
    ['', /empty label/],
    ['..', /empty label/],
    ['a..b', /empty label/],
    ['.a', /empty label/],
    [`${label63}a.b`, /longer than 63/],
    [`${label63}.${label63}.${label63}.${'a'.repeat(62)}`, /too long/],
    ['a'.repeat(100_000), /too long/],
    ['a\\', /backslash/],
    ['a\\25', /backslash/],
    ['a\\256', /backslash/],
    ['a b', /a character that names do not have/],
    ['b\u00fccher', /a character that names do not have/],
  ]
  for (const [text, sentence] of refused)
    it(`refuses ${JSON.stringify(text.slice(0, 20))}`, () => {
      const read = parseName(text, null)
      assert.match('problem' in read ? read.problem : '', sentence)
    })

  it('keeps every name from octets to text and back', () => {
    fc.assert(
      fc.property(wireNames, (wire) => {
        const { name } = nameFromWire(wire, 0)
        assert.deepEqual(nameToWire(name), wire)
        assert.deepEqual(parseName(`${name}.`.replace(/^\.\.$/, '.'), 'example.com'), { name })
      }),
    )
  })
})

describe('names in messages', () => {
  const message = Buffer.from('\x03com\0\x01a\xc0\x00\x01b\xc0\x05', 'latin1')
  const read = (bytes: Buffer, at: number) =>
    expandName(bytes, { at, end: bytes.length, pointers: true })

  it('follows pointers backwards', () => {
    assert.deepEqual(read(message, 9), { wire: nameToWire('b.a.com'), end: 13 })
  })

  it('refuses pointers where a name may not be compressed', () => {
    assert.throws(() => nameFromWire(message, 9), DnsProblem)
  })

  const malformed: [title: string, bytes: Buffer, at: number][] = [
    ['a pointer to itself', Buffer.of(0xc0, 0), 0],
    ['a pointer forwards', Buffer.of(0xc0, 2, 0), 0],
    ['two pointers in a circle', Buffer.of(0xc0, 2, 0xc0, 0), 2],
    ['a circle through a label', Buffer.of(1, 0x61, 0xc0, 0), 0],
    ['a pointer cut in half', Buffer.of(0, 0xc0), 1],
    ['no last label', Buffer.of(1, 0x61), 0],
    ['a label that is cut', Buffer.of(5, 0x61), 0],
    ['a label of an unknown kind', Buffer.of(0x41, 0x61, 0), 0],
    ['a place behind the end', Buffer.of(0), 1],
    ['more than 255 octets', Buffer.concat([Buffer.alloc(128 * 2, '\x01a'), Buffer.of(0)]), 0],
  ]
  for (const [title, bytes, at] of malformed)
    it(`refuses ${title}`, () => {
      assert.throws(() => read(bytes, at), DnsProblem)
    })
})
