// Values as people paste them into a form: they are understood, or refused with all readings.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../kit/arbitrary-text.fixture.ts'
import { fileTypeNumber } from '../types.ts'
import { type How, readRdata, writeRdata } from './rdata.ts'

const api: How = { names: 'api', origin: 'example.com' }

/** Uses `\X` and `\DDD` as in a file. */
const text = String.raw

const key = `v=DKIM1; k=rsa; p=${'M'.repeat(400)}`

const understood: [type: string, pasted: string, canonical: string][] = [
  ['A', ' 192.0.2.1 ', '192.0.2.1'],
  ['CNAME', 'shop.example.net', 'shop.example.net.'],
  ['CNAME', 'Shop.Example.NET.', 'shop.example.net.'],
  ['CNAME', '"shop.example.net"', 'shop.example.net.'],
  ['CNAME', '@', 'example.com.'],
  ['CNAME', 'mail.', 'mail.'],
  ['CNAME', text`a\.b.example.net`, text`a\.b.example.net.`],
  ['MX', '10 mail.example.net', '10 mail.example.net.'],
  ['MX', '0 .', '0 .'],
  ['MX', '10   @', '10 example.com.'],
  ['SRV', '0 0 0 .', '0 0 0 .'],
  ['HTTPS', '1 . alpn="h3,h2" port=443', '1 . alpn=h3,h2 port=443'],
  ['HTTPS', '1 . port=443 alpn=h2', '1 . alpn=h2 port=443'],
  ['CAA', '0 issue letsencrypt.org', '0 issue "letsencrypt.org"'],
  ['CAA', '0 issue ;', '0 issue ";"'],
  [
    'CAA',
    '0 issue "letsencrypt.org; validationmethods=dns-01"',
    '0 issue "letsencrypt.org; validationmethods=dns-01"',
  ],
  ['TXT', 'v=spf1 include:_spf.example.net -all', '"v=spf1 include:_spf.example.net -all"'],
  ['TXT', 'a; b (c) @', '"a; b (c) @"'],
  ['TXT', text`C:\dir`, text`"C:\\dir"`],
  ['TXT', '"a" "b"', '"a" "b"'],
  ['TXT', text`"a\"b\\c\010"`, text`"a\"b\\c\010"`],
  ['TXT', ' "a" ', '"a"'],
  ['TXT', '""', '""'],
  ['TXT', 'ü', text`"\195\188"`],
  ['TXT', key, `"${key.slice(0, 255)}" "${key.slice(255)}"`],
  ['TXT', `"${key}"`, `"${key.slice(0, 255)}" "${key.slice(255)}"`],
  ['TXT', text`\# 2 0161`, '"a"'],
  ['TYPE12', 'a.example.net', 'a.example.net.'],
  ['TYPE1', '192.0.2.1', '192.0.2.1'],
  ['A', text`\# 4 c0000201`, '192.0.2.1'],
]

describe('pasted values', () => {
  for (const [type, pasted, canonical] of understood)
    it(`reads ${type} ${pasted.slice(0, 60)}`, () => {
      const number = fileTypeNumber(type) ?? 0
      const read = readRdata(number, pasted, api)
      assert.ok('rdata' in read, JSON.stringify(read))
      assert.equal(writeRdata(number, read.rdata), canonical)
    })
})

type Refused = [type: string, pasted: string, problem: string, repaired: string | undefined]

const both = '. Write the one that is meant.'
const refused: Refused[] = [
  [
    'CNAME',
    'mail',
    `"mail" could mean "mail.example.com." or the top-level name "mail."${both}`,
    'mail.example.com.',
  ],
  [
    'MX',
    '10 mail',
    `"mail" could mean "mail.example.com." or the top-level name "mail."${both}`,
    '10 mail.example.com.',
  ],
  [
    'MX',
    'mail.example.net',
    'Before "mail.example.net" its preference is missing: the lowest number is tried first.',
    '10 mail.example.net',
  ],
  [
    'MX',
    'mail',
    'Before "mail" its preference is missing: the lowest number is tried first.',
    '10 mail.example.com.',
  ],
  ['MX', '10 .', '"No mail" is written with the preference 0.', '0 .'],
  [
    'MX',
    '10 192.0.2.1',
    '"192.0.2.1" is an IP address, and here a name has to be. A and AAAA have addresses. ' +
      'An example: 10 mail.example.com.',
    undefined,
  ],
  [
    'CNAME',
    'https://shop.example.net/a?b',
    '"https://shop.example.net/a?b" is a web address, and the value has a name, ' +
      'as "shop.example.net.".',
    'shop.example.net.',
  ],
  [
    'CNAME',
    'bücher.example',
    '"bücher.example" has to be written in A-labels, as "xn--bcher-kva.example.".',
    'xn--bcher-kva.example.',
  ],
  ['CNAME', 'a b', `"a" could mean "a.example.com." or the top-level name "a."${both}`, undefined],
  [
    'CNAME',
    '.',
    'The root "." is no name that it can point to. An example: www.example.com.',
    undefined,
  ],
  [
    'AAAA',
    '::ffff:192.0.2.1',
    'It stands for the IPv4 address 192.0.2.1: that is an A record. An example: 2001:db8::1',
    undefined,
  ],
  [
    'CAA',
    '0 issue letsencrypt.org; a=b',
    'The value has spaces, and has to be in quotes: "letsencrypt.org; a=b".',
    '0 issue "letsencrypt.org; a=b"',
  ],
  [
    'CAA',
    '0 issue https://letsencrypt.org',
    'The value of issue is "https://letsencrypt.org", and has to be the domain name of an ' +
      'authority, as "letsencrypt.org", or ";" for none. An example: 0 issue "letsencrypt.org"',
    undefined,
  ],
  [
    'CAA',
    '0 iodef a@example.net',
    'The value of iodef is "a@example.net", and has to be a URL with mailto: or https://. ' +
      'An example: 0 issue "letsencrypt.org"',
    undefined,
  ],
  [
    'HTTPS',
    '1 alpn=h2',
    'Before "alpn=h2" its target name is missing: "." is the owner itself.',
    '1 . alpn=h2',
  ],
  ['A', '192.0.2.1\n192.0.2.2', 'The value has a line break.', undefined],
  ['TXT', '', 'The text is empty. An empty text is written as "".', '""'],
  ['TXT', 'a\n', text`The text "a�" has line breaks: it could mean "a" or "a\010"${both}`, '"a"'],
  [
    'TXT',
    'v=DKIM1; p=ab\r\n  cd',
    text`The text "v=DKIM1; p=ab��  cd" has line breaks: it could mean "v=DKIM1; p=abcd" ` +
      text`or "v=DKIM1; p=ab\013\010  cd"${both}`,
    '"v=DKIM1; p=abcd"',
  ],
  [
    'TXT',
    '"a"\n"b"',
    text`The text ""a"�"b"" has line breaks: it could mean "a" "b" or "\"a\"\010\"b\""${both}`,
    '"a" "b"',
  ],
  ['TXT', ' a', `The text " a" has spaces at its ends: it could mean "a" or " a"${both}`, '"a"'],
  [
    'TXT',
    '"a',
    text`The text ""a" begins with a quote that is not closed: it could mean "a" or "\"a"${both}`,
    '"a"',
  ],
  [
    'TXT',
    '"a"b"',
    text`The text ""a"b"" has quotes within it: it could mean "a\"b" or "ab"${both}`,
    text`"a\"b"`,
  ],
  [
    'TXT',
    '"a""b"',
    text`The text ""a""b"" has quotes within it: it could mean "a\"\"b" or "a" "b"${both}`,
    text`"a\"\"b"`,
  ],
  [
    'TXT',
    'a"b"',
    text`The text "a"b"" has quotes within it: it could mean "a\"b\"" or "ab"${both}`,
    text`"a\"b\""`,
  ],
  [
    'TXT',
    '"a" b',
    text`The text ""a" b" has quotes within it: it could mean "a\" b" or "a b"${both}`,
    text`"a\" b"`,
  ],
  [
    'TXT',
    text`v=DKIM1\; k=rsa`,
    text`The text "v=DKIM1\; k=rsa" has backslashes outside of quotes: ` +
      text`it could mean "v=DKIM1; k=rsa" or "v=DKIM1\\; k=rsa"${both}`,
    '"v=DKIM1; k=rsa"',
  ],
  [
    'TYPE65280',
    'abcd',
    text`A value of TYPE65280 is written as "\# 2 abcd" (RFC 3597).`,
    undefined,
  ],
]

describe('pasted values that are mistakes', () => {
  for (const [type, pasted, problem, repaired] of refused)
    it(`refuses ${type} ${JSON.stringify(pasted)}`, () => {
      const read = readRdata(fileTypeNumber(type) ?? 0, pasted, api)
      assert.deepEqual(read, repaired === undefined ? { problem } : { problem, repaired })
    })

  it('names a top-level zone in the first reading', () => {
    const read = readRdata(5, 'mail', { names: 'api', origin: '.' })
    assert.ok('problem' in read)
    assert.equal(read.repaired, 'mail.')
  })

  it('repairs a text only to one that is accepted', () => {
    const signs = fc.string({ unit: fc.constantFrom(...'"\\ ;a1.=@') })
    const texts = fc.oneof(
      signs,
      unicodeText(),
      signs.map((one) => `10 ${one}`),
    )
    fc.assert(
      fc.property(fc.constantFrom(1, 5, 15, 16, 33, 65, 257), texts, (type, pasted) => {
        const read = readRdata(type, pasted, api)
        if (!('problem' in read) || read.repaired === undefined) return
        assert.ok('rdata' in readRdata(type, read.repaired, api), read.repaired)
      }),
      { numRuns: 1000 },
    )
  })

  it('keeps every octet of a text without quotes', () => {
    fc.assert(
      fc.property(unicodeText({ minLength: 1 }), (pasted) => {
        const read = readRdata(16, pasted, api)
        if ('problem' in read) return
        const parts: Buffer[] = []
        for (let at = 0; at < read.rdata.length; at += 1 + (read.rdata[at] ?? 0))
          parts.push(read.rdata.subarray(at + 1, at + 1 + (read.rdata[at] ?? 0)))
        if (!pasted.startsWith('"') && !pasted.startsWith('\\#'))
          assert.deepEqual(Buffer.concat(parts), Buffer.from(pasted))
      }),
    )
  })
})
