// Contents of DNS records in forms: split into fields and joined again without a change, and lines
// that were pasted.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bodyOf, problemsByLine, readPasted } from '../src/lib/dns/pasted-records.ts'
import { plainText } from '../src/lib/dns/plain-text.ts'
import { formatTtl } from '../src/lib/dns/ttl.ts'
import { valueForm } from '../src/lib/dns/value-forms.ts'

const raw = String.raw

describe('a text record', () => {
  const plain: readonly [presented: string, shown: string][] = [
    ['"v=spf1 -all"', 'v=spf1 -all'],
    [`"${'a'.repeat(255)}" "b"`, `${'a'.repeat(255)}b`],
    [raw`"\195\188"`, 'ü'],
    [raw`"C:\\dir"`, raw`C:\dir`],
    // What the service would read otherwise stays in its presentation form.
    ['""', '""'],
    ['" a"', '" a"'],
    [raw`"say \"hi\""`, raw`"say \"hi\""`],
    [raw`"a\010b"`, raw`"a\010b"`],
    [raw`"\255"`, raw`"\255"`],
    [raw`"a\\;b"`, raw`"a\\;b"`],
    [raw`"\\# 1 00"`, raw`"\\# 1 00"`],
  ]
  for (const [presented, shown] of plain)
    it(`is shown as ${shown.slice(0, 20)}`, () => assert.equal(plainText(presented), shown))
})

describe('the form of a type', () => {
  const contents: readonly [type: string, value: string, parts: readonly string[]][] = [
    ['A', '192.0.2.1', ['192.0.2.1']],
    ['MX', '10 mail.example.net.', ['10', 'mail.example.net.']],
    ['SRV', '10 5 5060 sip.example.net.', ['10', '5', '5060', 'sip.example.net.']],
    ['CAA', '0 issue "letsencrypt.org"', ['issue', 'letsencrypt.org', '0']],
    ['DS', '1 13 2 ABCD', ['1 13 2 ABCD']],
    ['TYPE65400', raw`\# 2 ABCD`, [raw`\# 2 ABCD`]],
  ]
  for (const [type, value, parts] of contents)
    it(`splits ${type}, and joins the same`, () => {
      const form = valueForm(type, [value])
      assert.deepEqual(form.split(value), parts)
      assert.equal(form.join(parts), value)
    })

  it('is one line where a content has other parts', () => {
    const odd = raw`0 issue "a\"b"`
    const form = valueForm('CAA', ['0 issue "letsencrypt.org"', odd])
    assert.deepEqual(form.split(odd), [odd])
    assert.equal(form.parts.length, 1)
  })
})

describe('pasted lines', () => {
  const domain = 'example.com'
  const text = [
    '; a zone',
    'example.com. 300 IN MX 10 mail.example.net.',
    '   IN 600 TXT "v=spf1 mx -all"',
    'www.example.com. A 192.0.2.1',
    'www IN A 192.0.2.2',
    '',
    'nonsense',
  ].join('\n')

  it('are records with host, type, time and content', () => {
    const { records, unread } = readPasted(text, domain)
    assert.deepEqual(unread, [7])
    assert.deepEqual(records, [
      { line: 2, host: '@', type: 'MX', ttl: 300, value: '10 mail.example.net.' },
      { line: 3, host: '@', type: 'TXT', ttl: 600, value: '"v=spf1 mx -all"' },
      { line: 4, host: 'www', type: 'A', value: '192.0.2.1' },
      { line: 5, host: 'www', type: 'A', value: '192.0.2.2' },
    ])
  })

  it('are one set for each host and type, and a refusal names its line', () => {
    const { records } = readPasted(text, domain)
    const { body, lines } = bodyOf(records, 'sets')
    assert.deepEqual(body, {
      sets: [
        { host: '@', type: 'MX', ttl: 300, values: ['10 mail.example.net.'] },
        { host: '@', type: 'TXT', ttl: 600, values: ['"v=spf1 mx -all"'] },
        { host: 'www', type: 'A', values: ['192.0.2.1', '192.0.2.2'] },
      ],
    })
    const refused = { values: 'Bad.', 'sets.2.values.1': 'Bad.', 'sets.1': 'Worse.' }
    assert.deepEqual(problemsByLine(refused, lines), [
      { line: 3, problem: 'Worse.' },
      { line: 5, problem: 'Bad.' },
    ])
    const added = bodyOf(records, 'add')
    assert.deepEqual(problemsByLine({ 'add.3.value': 'Bad.' }, added.lines), [
      { line: 5, problem: 'Bad.' },
    ])
  })
})

it('a time is in its largest whole unit', () => {
  assert.deepEqual([60, 3_600, 86_400, 90].map(formatTtl), [
    '1 minute',
    '1 hour',
    '1 day',
    '90 seconds',
  ])
})
