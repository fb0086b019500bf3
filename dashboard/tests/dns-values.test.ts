// Contents of DNS records in forms, which are split into fields and joined again without a change.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
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
    // Texts that the service would read in another way stay in presentation form.
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

it('a time is in its largest whole unit', () => {
  assert.deepEqual([60, 3_600, 86_400, 90].map(formatTtl), [
    '1 minute',
    '1 hour',
    '1 day',
    '90 seconds',
  ])
})
