// Names and numbers of resource record types.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  dnssecTypes,
  fileTypeName,
  fileTypeNumber,
  isMetaType,
  rrType,
  typeName,
  typeNumber,
} from './types.ts'

describe('resource record types', () => {
  it('reads a name in any case, and the form of RFC 3597', () => {
    for (const text of ['MX', 'mx', 'TYPE15', 'type15']) assert.equal(typeNumber(text), 15, text)
    assert.equal(typeNumber('TYPE1'), rrType.a)
    assert.equal(typeNumber('TYPE65535'), 65_535)
  })

  it('refuses other texts', () => {
    const texts = [
      '',
      'TYPE',
      'TYPE0',
      'TYPE01',
      'TYPE65536',
      'TYPE1.5',
      ' MX',
      'MXX',
      'ANY',
      'OPT',
    ]
    for (const text of [...texts, 'constructor', 'TYPE-1', 'TYPE1e3', 'TYPE999999999'])
      assert.equal(typeNumber(text), undefined, text)
  })

  it('names the types of the API, and others by their number', () => {
    const names = 'A AAAA CNAME MX TXT SRV CAA NS TLSA SSHFP HTTPS SVCB DS SOA'.split(' ')
    for (const name of names) assert.equal(typeName(typeNumber(name) ?? 0), name)
    const numbers = Array.from({ length: 65_536 }, (_, number) => number)
    const byName = numbers.filter((number) => !typeName(number).startsWith('TYPE'))
    assert.equal(byName.length, names.length)
    assert.equal(typeName(99), 'TYPE99')
  })

  it('knows four more in zone files', () => {
    for (const [name, number] of [
      ['PTR', 12],
      ['NAPTR', 35],
      ['LOC', 29],
      ['URI', 256],
    ] as const) {
      assert.equal(typeNumber(name), undefined)
      assert.equal(typeName(number), `TYPE${number}`)
      assert.equal(fileTypeNumber(name.toLowerCase()), number)
      assert.equal(fileTypeName(number), name)
    }
    assert.equal(fileTypeName(rrType.mx), 'MX')
    assert.equal(fileTypeName(99), 'TYPE99')
  })

  it('knows meta types, which no record has', () => {
    const { opt, tkey, tsig, ixfr, axfr, mailb, maila, any } = rrType
    for (const type of [0, opt, tkey, tsig, ixfr, axfr, mailb, maila, any, 128, 65_535])
      assert.ok(isMetaType(type), String(type))
    for (const type of [1, 40, 42, 127, 256, 65_534]) assert.ok(!isMetaType(type), String(type))
  })

  it('knows the types that signing keeps, DS not among them', () => {
    for (const type of [46, 47, 48, 50, 51, 59, 60, 63]) assert.ok(dnssecTypes.has(type))
    assert.ok(!dnssecTypes.has(rrType.ds))
  })
})
