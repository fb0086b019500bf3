// The presentation of each type: the octets and the canonical text of values, and the values that
// are refused.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileTypeNumber } from '../types.ts'
import { type How, readRdata, targetsOf, writeRdata } from './rdata.ts'

const file: How = { names: 'zone_file', origin: 'example.com' }
const sha256 = 'ab'.repeat(32)

/** Uses `\X` and `\DDD` as in a file. */
const text = String.raw

type Case = [type: string, written: string, hex: string, canonical: string]

const names = { relative: '01610765 78616d706c6503636f6d00', absolute: '01610000' } as const
const below = names.relative.replace(' ', '')

const accepted: Case[] = [
  ['A', '192.0.2.1', 'c0000201', '192.0.2.1'],
  ['AAAA', '2001:DB8:0:0:0:0:0:1', `20010db8${'0'.repeat(23)}1`, '2001:db8::1'],
  ['AAAA', '::ffff:192.0.2.1', `${'0'.repeat(20)}ffffc0000201`, '::ffff:192.0.2.1'],
  ['AAAA', '::', '0'.repeat(32), '::'],
  ['CNAME', 'a', below, 'a.example.com.'],
  ['CNAME', 'A.Example.COM.', below, 'a.example.com.'],
  ['CNAME', '@', '076578616d706c6503636f6d00', 'example.com.'],
  ['CNAME', text`a\.b.`, '03612e6200', text`a\.b.`],
  ['NS', 'a', below, 'a.example.com.'],
  ['PTR', 'a.', '016100', 'a.'],
  ['MX', '10 a', `000a${below}`, '10 a.example.com.'],
  ['MX', '0 .', '000000', '0 .'],
  ['MX', '( 10 ; the first\n a )', `000a${below}`, '10 a.example.com.'],
  ['SRV', '1 2 443 a.', '0001000201bb016100', '1 2 443 a.'],
  ['TXT', 'a b', '01610162', '"a" "b"'],
  [
    'TXT',
    text`"a;b\"c\\d\195\188\010" ""`,
    '0a613b6222635c64c3bc0a00',
    text`"a;b\"c\\d\195\188\010" ""`,
  ],
  ['TXT', 'a\u00fc', '0361c3bc', text`"a\195\188"`],
  ['TXT', `"${'x'.repeat(256)}"`, `ff${'78'.repeat(255)}0178`, `"${'x'.repeat(255)}" "x"`],
  ['CAA', '128 issue ca.example', '80056973737565 63612e6578616d706c65', '128 issue "ca.example"'],
  [
    'CAA',
    '0 iodef "mailto:a@b.c"',
    '0005696f646566 6d61696c746f3a6140622e63',
    '0 iodef "mailto:a@b.c"',
  ],
  ['TLSA', `3 1 1 ${sha256.toUpperCase()}`, `030101${sha256}`, `3 1 1 ${sha256}`],
  ['TLSA', '3 1 0 ab cd ef', '030100abcdef', '3 1 0 abcdef'],
  ['SSHFP', `4 2 ${sha256}`, `0402${sha256}`, `4 2 ${sha256}`],
  ['DS', `1 13 2 ${sha256}`, `00010d02${sha256}`, `1 13 2 ${sha256}`],
  [
    'LOC',
    '52 22 23 N 4 53 32 E -2m',
    '00121613 8b3cf018 810cbce0 009895b8',
    '52 22 23.000 N 4 53 32.000 E -2.00m 1.00m 10000.00m 10.00m',
  ],
  [
    'NAPTR',
    '1 2 u "E2U+sip" "" a.',
    '0001000201750745325 52b736970 00 016100',
    '1 2 "u" "E2U+sip" "" a.',
  ],
  ['URI', '10 1 "https://a/"', '000a0001 68747470733a2f2f612f', '10 1 "https://a/"'],
  [
    'SOA',
    'a. b. 1 1h 1m30s 1w2d 5',
    '016100 016200 00000001 00000e10 0000005a 000bdd80 00000005',
    'a. b. 1 3600 90 777600 5',
  ],
  ['TYPE65280', text`\# 2 AB cd`, 'abcd', text`\# 2 abcd`],
  ['TYPE65280', text`\# 0`, '', text`\# 0`],
  ['TYPE1', text`\# 4 c0000201`, 'c0000201', '192.0.2.1'],
  ['TYPE16', '"a"', '0161', '"a"'],
  ['TYPE13', text`\# 4 01410162`, '01410162', text`\# 4 01410162`],
  // A name in the value is in lower case, as in every type of RFC 4034 section 6.2.
  ['TYPE39', text`\# 3 014100`, '016100', text`\# 3 016100`],
  // RFC 9460 appendix D, and its alias form.
  [
    'HTTPS',
    '0 foo.example.com.',
    '0000 03666f6f 076578616d706c65 03636f6d 00',
    '0 foo.example.com.',
  ],
  ['SVCB', '1 .', '000100', '1 .'],
  ['SVCB', '16 foo. port=53', '0010 03666f6f00 0003 0002 0035', '16 foo. port=53'],
  ['SVCB', '1 . key667=hello', '000100 029b 0005 68656c6c6f', '1 . key667="hello"'],
  [
    'SVCB',
    text`1 . key667="hello\210qoo"`,
    '000100 029b 0009 68656c6c6fd2716f6f',
    text`1 . key667="hello\210qoo"`,
  ],
  [
    'SVCB',
    '1 . ipv6hint="2001:db8::1,2001:db8::53:1"',
    `000100 0006 0020 20010db8${'0'.repeat(23)}1 20010db8${'0'.repeat(16)}00530001`,
    '1 . ipv6hint=2001:db8::1,2001:db8::53:1',
  ],
  [
    'SVCB',
    '16 . alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1',
    '001000 0000 0004 00010004 0001 0009 026832 0568332d3139 0004 0004 c0000201',
    '16 . mandatory=alpn,ipv4hint alpn=h2,h3-19 ipv4hint=192.0.2.1',
  ],
  [
    'SVCB',
    text`16 . alpn="f\\\\oo\\,bar,h2"`,
    '001000 0001 000c 08665c6f6f2c626172 026832',
    text`16 . alpn="f\\\\oo\\,bar,h2"`,
  ],
  [
    'SVCB',
    text`16 . alpn=f\\\092oo\092,bar,h2`,
    '001000 0001 000c 08665c6f6f2c626172 026832',
    text`16 . alpn="f\\\\oo\\,bar,h2"`,
  ],
  [
    'HTTPS',
    '1 . no-default-alpn alpn=h3 ech=AAAA',
    '000100 0001 0003 026833 0002 0000 0005 0003 000000',
    '1 . alpn=h3 no-default-alpn ech="AAAA"',
  ],
  ['HTTPS', '1 . dohpath=/q{?dns}', '000100 0007 0008 2f717b3f646e737d', '1 . key7="/q{?dns}"'],
]

describe('values of a zone file', () => {
  for (const [type, written, hex, canonical] of accepted)
    it(`reads ${type} ${written.slice(0, 60).replace('\n', ' ')}`, () => {
      const number = fileTypeNumber(type) ?? 0
      const read = readRdata(number, written, file)
      assert.ok('rdata' in read, JSON.stringify(read))
      assert.equal(read.rdata.toString('hex'), hex.replaceAll(' ', ''))
      assert.equal(writeRdata(number, read.rdata), canonical)
    })
})

const refused: [type: string, written: string, problem: RegExp][] = [
  ['A', '192.0.2', /no IPv4 address/],
  ['A', '192.0.2.256', /no IPv4 address/],
  ['A', '192.0.2.01', /no IPv4 address/],
  ['A', '3221225985', /no IPv4 address/],
  ['A', '2001:db8::1', /IPv6 address, which is for the type AAAA/],
  ['A', '192.0.2.1 192.0.2.2', /After its end comes/],
  ['A', '', /missing/],
  ['AAAA', '192.0.2.1', /IPv4 address, which is for the type A\b/],
  ['AAAA', 'fe80::1%eth0', /no IPv6 address/],
  ['CNAME', 'a..b', /empty label/],
  ['CNAME', '"a"', /without quotes/],
  ['CNAME', 'b\u00fccher.example.', /xn--bcher-kva\.example\./],
  ['MX', 'a', /preference is missing/],
  ['MX', '65536 a', /0 to 65535/],
  ['MX', '-1 a', /0 to 65535/],
  ['MX', '10', /mail server is missing/],
  ['SRV', '1 2 a.', /port is "a\."/],
  ['SRV', '1 2 3 a_b.', /no host name/],
  ['MX', '10 _mail.a.', /no host name/],
  ['MX', '10 -a.', /no host name/],
  ['NS', 'a\\.b.', /no host name/],
  ['NS', '.', /no name that it can point to/],
  ['TXT', '', /missing/],
  ['TXT', '"a', /not closed/],
  ['TXT', 'a"b"', /quote within a word/],
  ['TXT', text`"\256"`, /backslash/],
  ['CAA', '256 issue ca.example', /0 to 255/],
  ['CAA', '0 is-sue ca.example', /letters and digits/],
  ['CAA', '0 issue ca.example a=b', /in quotes/],
  ['CAA', '0 issue', /value is missing/],
  ['TLSA', '3 1 1 abcd', /2 octets, and one of type 1 has 32/],
  ['TLSA', '3 1 0', /missing/],
  ['TLSA', '3 1 0 abc', /hexadecimal/],
  ['SSHFP', `4 1 ${sha256}`, /has 20/],
  ['DS', `1 13 4 ${sha256}`, /has 48/],
  ['LOC', '91 N 4 E 0m', /up to 90 degrees/],
  ['LOC', '52 60 N 4 E 0m', /up to 90 degrees/],
  ['LOC', '52 4 E 0m', /no N or S/],
  ['LOC', '52 N 4 E 0m 25m', /one digit followed by zeros/],
  ['LOC', '52 N 4 E 42849672.96m', /altitude/],
  ['NAPTR', '1 2 "+" "" "" .', /flags/],
  ['NAPTR', '1 2 u "" "!a!b" .', /no substitution/],
  ['NAPTR', text`1 2 u "" "!(a)!\\2!" .`, /no substitution/],
  ['NAPTR', text`1 2 u "" "!(a!b!" .`, /no substitution/],
  ['URI', '1 1 ""', /empty/],
  ['SOA', 'a. b. 1 1x 1 1 1', /no time in seconds/],
  ['TYPE65280', 'abcd', /RFC 3597/],
  ['TYPE65280', text`\# 3 abcd`, /here 2/],
  ['TYPE65280', text`\# 2 abc`, /hexadecimal/],
  ['TYPE65280', text`\#`, /number of octets/],
  ['TYPE1', text`\# 3 c00002`, /ends before/],
  ['TYPE1', text`\# 5 c000020101`, /1 octets after its end/],
  ['TYPE13', text`\# 1 05`, /ends before/],
  ['SVCB', '0 a. alpn=h2', /alias/],
  ['SVCB', '1 alpn=h2', /target name is missing/],
  ['SVCB', '1 . alpn=h2 alpn=h3', /twice/],
  ['SVCB', '1 . alpn', /no value/],
  ['SVCB', '1 . alpn=h2,', /1 to 255/],
  ['SVCB', '1 . no-default-alpn', /without alpn/],
  ['SVCB', '1 . alpn=h2 no-default-alpn=a', /no value/],
  ['SVCB', '1 . mandatory=port alpn=h2', /mandatory key port is missing/],
  ['SVCB', '1 . mandatory=mandatory', /list itself/],
  ['SVCB', '1 . mandatory=alpn,alpn alpn=h2', /each once/],
  ['SVCB', '1 . port=65536', /0 to 65535/],
  ['SVCB', '1 . ipv4hint=::1', /IPv6 address/],
  ['SVCB', '1 . ech=AAA', /Base64/],
  ['SVCB', '1 . dohpath=/q', /RFC 9461/],
  ['SVCB', '1 . key65535=a', /no key/],
  ['SVCB', '1 . key01=a', /no key/],
  ['SVCB', '1 . foo=a', /no key/],
  ['SVCB', '1 . "alpn=h2"', /no parameter/],
]

describe('malformed values of a zone file', () => {
  for (const [type, written, problem] of refused)
    it(`refuses ${type} ${written}`, () => {
      const read = readRdata(fileTypeNumber(type) ?? 0, written, file)
      assert.match('problem' in read ? read.problem : JSON.stringify(read), problem)
    })
})

describe('targets of values', () => {
  const targets: [type: string, written: string, names: string[]][] = [
    ['CNAME', 'a', ['a.example.com']],
    ['NS', 'a', ['a.example.com']],
    ['PTR', 'a', ['a.example.com']],
    ['MX', '10 a', ['a.example.com']],
    ['MX', '0 .', []],
    ['SRV', '0 0 0 a', ['a.example.com']],
    ['HTTPS', '0 a', ['a.example.com']],
    ['SVCB', '1 .', []],
    ['NAPTR', '1 1 "s" "" "" a', ['a.example.com']],
    ['A', '192.0.2.1', []],
    ['TXT', 'a', []],
    ['TYPE65280', text`\# 1 00`, []],
  ]
  for (const [type, written, names] of targets)
    it(`are ${names.join() || 'none'} of ${type} ${written}`, () => {
      const number = fileTypeNumber(type) ?? 0
      const read = readRdata(number, written, file)
      assert.ok('rdata' in read)
      assert.deepEqual(targetsOf(number, read.rdata), names)
    })
})

describe('values that are too large', () => {
  const many = (piece: string, octets = 65_536) => piece.repeat(Math.ceil(octets / piece.length))
  const values: [type: string, written: string][] = [
    ['TXT', `"${many('x')}"`],
    ['TXT', many('"x" ', 3 * 65_536)],
    ['URI', `1 1 "${many('x')}"`],
    ['CAA', `0 issue "${many('x')}"`],
    ['TLSA', `3 1 0 ${many('ab', 2 * 65_536)}`],
    ['HTTPS', `1 . key9="${many('x')}"`],
    ['HTTPS', `1 . ech=${many('AAAA', 2 * 65_536)}`],
    ['HTTPS', `1 . alpn=a,${many('a,')}a`],
    ['HTTPS', `1 . ipv4hint=${many('192.0.2.1,', 3 * 65_536)}192.0.2.1`],
    ['HTTPS', `1 . dohpath=/${many('x')}{?dns}`],
    ['HTTPS', `1 . key9="${many('x', 40_000)}" key10="${many('x', 40_000)}"`],
    ['NAPTR', `1 1 "" "" "${many('x', 256)}" .`],
    ['TYPE65280', text`\# 65536 ${many('ab', 2 * 65_536)}`],
    ['A', many('1')],
    ['CNAME', many('a.')],
    ['CNAME', many(text`\\`)],
    ['TXT', many('x', 2 ** 20)],
  ]
  for (const [type, written] of values)
    for (const names of ['zone_file', 'api'] as const)
      it(`refuses ${type} ${written.slice(0, 20)} (${names})`, () => {
        const read = readRdata(fileTypeNumber(type) ?? 0, written, { names, origin: 'example.com' })
        assert.ok('problem' in read)
        assert.ok(read.problem.length < 500, read.problem)
      })

  it('checks a CAA and a dohpath in time that is linear in their size', () => {
    const start = performance.now()
    for (const piece of [' ', 'a', 'a-', 'a.', ' ;'])
      readRdata(257, `0 issue "${many(piece, 65_000)}!"`, { names: 'api', origin: 'example.com' })
    for (const piece of ['{', '{a', '{dns', '{a,'])
      readRdata(65, `1 . dohpath="/${many(piece, 65_000)}"`, file)
    // In time that grows with the square of the size, this would take half a minute.
    assert.ok(performance.now() - start < 5000)
  })
})
