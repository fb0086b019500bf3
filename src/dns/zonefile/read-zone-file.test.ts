// Zone files: the records of the syntax of RFC 1035, and the lines that are refused.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isWithin } from '../name.ts'
import { writeRdata } from '../rdata/rdata.ts'
import { fileTypeName } from '../types.ts'
import { readZoneFile } from './read-zone-file.ts'

const rules = { origin: 'example.com', default_ttl: 3600 }

/** Each record as "line name ttl type value". */
function recordsOf(text: string, origin = 'example.com'): string[] {
  const read = readZoneFile(text, { ...rules, origin })
  assert.ok('records' in read, JSON.stringify(read))
  return read.records.map(
    ({ line, name, type, ttl, rdata }) =>
      `${line} ${name} ${ttl} ${fileTypeName(type)} ${writeRdata(type, rdata)}`,
  )
}

function problemsOf(text: string): [line: number, problem: string][] {
  const read = readZoneFile(text, rules)
  assert.ok('problems' in read, 'The file was taken.')
  return read.problems.map(({ line, problem }) => [line, problem])
}

describe('a zone file', () => {
  it('has records with every form of a name', () => {
    const text = [
      '@ IN A 192.0.2.1',
      '  IN A 192.0.2.2',
      '\tMX 10 mail',
      'www CNAME @',
      'Mail.Example.COM. A 192.0.2.3',
      '*.a\\.b A 192.0.2.4',
      '$ORIGIN sub',
      'x A 192.0.2.5',
      '@ A 192.0.2.6',
      '$ORIGIN example.com.',
      'y A 192.0.2.7',
    ].join('\n')
    assert.deepEqual(recordsOf(text), [
      '1 example.com 3600 A 192.0.2.1',
      '2 example.com 3600 A 192.0.2.2',
      '3 example.com 3600 MX 10 mail.example.com.',
      '4 www.example.com 3600 CNAME example.com.',
      '5 mail.example.com 3600 A 192.0.2.3',
      '6 *.a\\.b.example.com 3600 A 192.0.2.4',
      '8 x.sub.example.com 3600 A 192.0.2.5',
      '9 sub.example.com 3600 A 192.0.2.6',
      '11 y.example.com 3600 A 192.0.2.7',
    ])
  })

  it('has the time to live of the record, of $TTL, of the record before, or the usual one', () => {
    const text = [
      'a A 192.0.2.1',
      'a 60 A 192.0.2.2',
      'a A 192.0.2.3',
      '$TTL 1h30m',
      'a A 192.0.2.4',
      'a IN 2D A 192.0.2.5',
      'a 0 in A 192.0.2.6',
      'a CLASS1 A 192.0.2.7',
    ].join('\n')
    assert.deepEqual(
      recordsOf(text).map((record) => record.split(' ')[2]),
      ['3600', '60', '60', '5400', '172800', '0', '5400'],
    )
  })

  it('has comments, quotes and parentheses over several lines', () => {
    const text = [
      '; a comment ( "',
      '',
      '   ; nothing but a comment',
      '@ SOA n h ( 1 ; serial',
      '      1h 10m',
      ' 2w 300 )',
      'txt TXT ( "a;b" ; c',
      '"d (e" )',
      'end A 192.0.2.1;no space before',
      'par (A)192.0.2.2',
    ].join('\r\n')
    assert.deepEqual(recordsOf(text), [
      '4 example.com 3600 SOA n.example.com. h.example.com. 1 3600 600 1209600 300',
      '7 txt.example.com 3600 TXT "a;b" "d (e"',
      '9 end.example.com 3600 A 192.0.2.1',
      '10 par.example.com 3600 A 192.0.2.2',
    ])
  })
})

describe('the records of a zone file', () => {
  it('have types by name in any case, by number, and by the names of others', () => {
    const text = [
      '1 ptr host.example.net.',
      'a NAPTR 1 1 "s" "" "" x',
      'b LOC 52 22 23.000 N 4 53 32.000 E -2.00m 1.00m 10000.00m 10.00m',
      'c URI 1 1 "https://example.com/"',
      'd TYPE1 \\# 4 c0000201',
      'e TYPE65280 \\# ( 2 ab ; in parts',
      '  cd )',
      'f HINFO "a" b',
      'g TYPE13 \\# 4 01610162',
      'h DNAME x',
      'i SPF "v=spf1 -all"',
    ].join('\n')
    assert.deepEqual(recordsOf(text), [
      '1 1.example.com 3600 PTR host.example.net.',
      '2 a.example.com 3600 NAPTR 1 1 "s" "" "" x.example.com.',
      '3 b.example.com 3600 LOC 52 22 23.000 N 4 53 32.000 E -2.00m 1.00m 10000.00m 10.00m',
      '4 c.example.com 3600 URI 1 1 "https://example.com/"',
      '5 d.example.com 3600 A 192.0.2.1',
      '6 e.example.com 3600 TYPE65280 \\# 2 abcd',
      '8 f.example.com 3600 TYPE13 \\# 4 01610162',
      '9 g.example.com 3600 TYPE13 \\# 4 01610162',
      '10 h.example.com 3600 TYPE39 \\# 15 0178076578616d706c6503636f6d00',
      '11 i.example.com 3600 TYPE99 \\# 12 0b763d73706631202d616c6c',
    ])
  })

  it('may be none, and may lack their last line break', () => {
    for (const text of ['', '\n', ' ', '; nothing', '$TTL 60'])
      assert.deepEqual(recordsOf(text), [])
    assert.equal(recordsOf('a A 192.0.2.1').length, 1)
  })

  it('may be below the root or a name with an escaped dot', () => {
    assert.deepEqual(recordsOf('a A 192.0.2.1', '.'), ['1 a 3600 A 192.0.2.1'])
    assert.deepEqual(recordsOf('a A 192.0.2.1', 'x\\.y'), ['1 a.x\\.y 3600 A 192.0.2.1'])
  })

  it('are left out, and reported, where signing makes them anew', () => {
    const text = ['a A 192.0.2.1', ' RRSIG A 13 3 300 ( x', ' y )', '@ dnskey 257 3 13 AAAA'].join(
      '\n',
    )
    const read = readZoneFile(text, rules)
    assert.ok('records' in read)
    assert.equal(read.records.length, 1)
    assert.deepEqual(read.left_out, [
      { line: 2, type: 'RRSIG' },
      { line: 4, type: 'DNSKEY' },
    ])
  })
})

describe('a zone file that is not taken', () => {
  const refused: [line: string, problem: RegExp][] = [
    ['$INCLUDE other.zone', /"\$INCLUDE" is not read/],
    ['$GENERATE 1-9 a$ A 192.0.2.$', /"\$GENERATE" is not read/],
    ['$TTL', /one value/],
    ['$TTL 1 2', /one value/],
    ['$TTL x', /no time to live/],
    ['$TTL 2147483648', /no time to live/],
    ['$ORIGIN a..b', /empty label/],
    ['a CH A 192.0.2.1', /The class is CH/],
    ['a CLASS3 A 192.0.2.1', /The class is CLASS3/],
    ['a', /has no type/],
    ['a IN', /has no type/],
    ['a IN 300', /has no type/],
    ['a IN 300 IN A 192.0.2.1', /"IN" is no type/],
    ['a ANY x', /"ANY" is no type/],
    ['a APL x', /"APL" is no type .* TYPE65280/],
    ['a "A" 192.0.2.1', /without quotes/],
    ['"a" A 192.0.2.1', /without quotes/],
    ['a A', /missing/],
    ['a A 192.0.2.256', /no IPv4 address/],
    ['a 9999999999 A 192.0.2.1', /no time to live/],
    ['a MX 10', /missing/],
    ['a TXT "x', /not closed/],
    ['a TXT )', /not opened/],
    ['a A ( 192.0.2.1', /not closed/],
    ['a\\', /end of the line/],
    ['a.example.net. A 192.0.2.1', /not within the zone/],
    ['a\\.example.com. A 192.0.2.1', /not within the zone/],
    [`${'a'.repeat(64)} A 192.0.2.1`, /longer than 63/],
  ]
  for (const [line, problem] of refused)
    it(`has the line ${line.slice(0, 40)}`, () => {
      const found = problemsOf(`; first\nok A 192.0.2.1\n${line}`)
      assert.deepEqual(
        found.map(([number]) => number),
        [3],
      )
      assert.match(found[0]?.[1] ?? '', problem)
    })

  it('has no name for its first line, or one that was malformed', () => {
    assert.deepEqual(problemsOf(' A 192.0.2.1\na..b A 192.0.2.1\n A 192.0.2.2\nc A 192.0.2.3'), [
      [1, 'The line has no name, and neither has one before it.'],
      [2, 'The name "a..b" has an empty label: two dots, or none.'],
      [3, 'The line has no name, and neither has one before it.'],
    ])
  })

  it('names every bad line, after a broken quote too, up to 100', () => {
    const text = 'a TXT "x\nb A 192.0.2.1\nc A x\n( d A y\n z )\ne A 192.0.2.1'
    assert.deepEqual(
      problemsOf(text).map(([line]) => line),
      [1, 3, 4],
    )
    assert.equal(problemsOf('a A x\n'.repeat(1000)).length, 100)
  })
})

it('distinguishes a dot between labels from one within a label', () => {
  assert.ok(isWithin('a.example.com', 'example.com'))
  assert.ok(isWithin('a\\\\.example.com', 'example.com'))
  assert.ok(isWithin('a.example', '.'))
  for (const name of ['a\\.example.com', 'aexample.com', 'com', 'a\\\\\\.example.com'])
    assert.ok(!isWithin(name, 'example.com'), name)
})
