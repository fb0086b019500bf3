// The types that are written by RFC 3597, and the forms that files and servers use for them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { namesElsewhere } from './elsewhere.ts'
import { octets, rdatasElsewhere } from './rdata.fixture.ts'
import {
  checkRdata,
  type How,
  readRdata,
  writeFileRdata,
  writeGeneric,
  writeNamed,
  writeRdata,
} from './rdata.ts'

const file: How = { names: 'zone_file', origin: 'example.com' }
const sha256 = 'ab'.repeat(32)

const forms: [name: string, text: string, hex: string][] = [
  ['MB', 'a.', '016100'],
  ['HINFO', '"a" "b c"', '016103622063'],
  ['MINFO', 'a. b.', '016100016200'],
  ['RP', 'a. .', '01610000'],
  ['AFSDB', '1 a.', '0001016100'],
  ['X25', '"311061700956"', '0c333131303631373030393536'],
  ['PX', '1 a. b.', '0001016100016200'],
  ['CERT', '1 2 3 AAA=', '00010002030000'],
  ['DNAME', 'a.', '016100'],
  ['DHCID', 'AAIB', '000201'],
  ['SMIMEA', `3 1 1 ${sha256}`, `030101${sha256}`],
  ['OPENPGPKEY', 'AAIB', '000201'],
  ['SPF', '"v=spf1" "-all"', '06763d73706631042d616c6c'],
  ['NID', '10 0014:4fff:ff20:ee64', '000a00144fffff20ee64'],
  ['L32', '10 192.0.2.1', '000ac0000201'],
  ['L64', '10 2001:0db8:1140:1000', '000a20010db811401000'],
  ['LP', '10 a.', '000a016100'],
  ['EUI48', '00-00-5e-00-53-2a', '00005e00532a'],
  ['EUI64', '00-00-5e-ef-10-00-00-2a', '00005eef1000002a'],
]

describe('types with a form of their own elsewhere', () => {
  for (const [name, text, hex] of forms)
    it(`reads and writes ${name} ${text.slice(0, 30)}`, () => {
      const type = namesElsewhere.get(name) ?? 0
      const rdata = Buffer.from(hex, 'hex')
      assert.deepEqual(readRdata(type, text, file), { rdata })
      assert.deepEqual(writeNamed(type, rdata), { type: name, text })
      assert.equal(writeRdata(type, rdata), writeGeneric(rdata))
    })

  const refused: [name: string, text: string, problem: RegExp][] = [
    ['NID', '10 0014:4fff:ff20', /has 8 octets/],
    ['NID', '10 00144fffff20ee64', /has 8 octets/],
    ['EUI48', '00-00-5e-00-53', /has 6 octets/],
    ['EUI48', '00-00-5e-00-53-xx', /hexadecimal/],
    ['OPENPGPKEY', 'AAI', /Base64/],
    ['CERT', '1 2 3', /missing/],
    ['HINFO', 'a', /missing/],
    ['DNAME', 'a b', /After its end/],
  ]
  for (const [name, text, problem] of refused)
    it(`refuses ${name} ${text}`, () => {
      const read = readRdata(namesElsewhere.get(name) ?? 0, text, file)
      assert.match('problem' in read ? read.problem : '', problem)
    })

  it('writes others by the names of zone files, and unknown ones by RFC 3597', () => {
    assert.deepEqual(writeNamed(12, Buffer.from('016100', 'hex')), { type: 'PTR', text: 'a.' })
    assert.deepEqual(writeNamed(1, Buffer.of(192, 0, 2, 1)), { type: 'A', text: '192.0.2.1' })
    assert.deepEqual(writeNamed(65_280, Buffer.of(1)), { type: 'TYPE65280', text: '\\# 1 01' })
  })

  it('writes names as PowerDNS does, or so that every reader of zone files takes them', () => {
    const rdata = Buffer.from('\x0ca.b\\@=+"$;()\0', 'latin1')
    assert.equal(writeRdata(5, rdata), 'a\\.b\\\\\\@=+\\"\\$\\;\\(\\).')
    assert.equal(writeNamed(5, rdata).text, 'a\\.b\\\\@=+"$;().')
    const written = writeFileRdata(5, rdata)
    assert.equal(written, 'a\\.b\\\\\\@\\061\\043\\"\\$\\;\\(\\).')
    assert.deepEqual(readRdata(5, written, file), { rdata })
  })

  it('has the same octets after either form, of arbitrary values', () => {
    for (const [type, values] of rdatasElsewhere)
      fc.assert(
        fc.property(values, (rdata) => {
          assert.deepEqual(checkRdata(type, rdata), { rdata })
          const { text } = writeNamed(type, rdata)
          // PowerDNS does not escape the characters of zone files in names.
          const hasSigns = /[;()]/.test(text) || rdata.includes('"')
          if (!hasSigns) assert.deepEqual(readRdata(type, text, file), { rdata }, text)
          assert.deepEqual(readRdata(type, writeRdata(type, rdata), file), { rdata })
        }),
        { numRuns: 40 },
      )
  })

  it('refuses malformed octets, and takes canonical ones', () => {
    for (const type of rdatasElsewhere.keys())
      fc.assert(
        fc.property(octets({ min: 0, max: 20 }), (bytes) => {
          const checked = checkRdata(type, bytes)
          if ('problem' in checked) return
          assert.deepEqual(readRdata(type, writeNamed(type, checked.rdata).text, file), checked)
        }),
        { numRuns: 40 },
      )
  })
})
