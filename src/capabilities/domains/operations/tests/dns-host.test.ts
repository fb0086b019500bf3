// Hosts of DNS records: the permitted ones, and their canonical form.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseHost } from '../../../../kit/net/host.ts'
import { parseDnsHost } from '../dns/configure-dns-record.ts'

const domain = 'example.com'
const kept = (text: string) => {
  const read = parseDnsHost(text, domain)
  return 'problem' in read ? null : read
}

describe('a host of a DNS record', () => {
  it('is kept as lower-case A-labels, with its whole name', () => {
    const good: [string, string, string][] = [
      ['@', '@', 'example.com'],
      ['www', 'www', 'www.example.com'],
      ['WWW', 'www', 'www.example.com'],
      ['a.b.c', 'a.b.c', 'a.b.c.example.com'],
      ['123', '123', '123.example.com'],
      ['bücher', 'xn--bcher-kva', 'xn--bcher-kva.example.com'],
      ['XN--BCHER-KVA', 'xn--bcher-kva', 'xn--bcher-kva.example.com'],
      ['*', '*', '*.example.com'],
      ['*.Shop', '*.shop', '*.shop.example.com'],
      ['com', 'com', 'com.example.com'],
      ['example', 'example', 'example.example.com'],
    ]
    for (const [text, host, name] of good) assert.deepEqual(kept(text), { host, name }, text)
  })

  it('is refused when it is none, or not relative', () => {
    const bad = [
      ...['', '.', '..', 'a..b', '.a', 'a.', 'www.', ' www', 'www ', 'a b', 'a/b', 'a_b', '_a'],
      ...['-a', 'a-', '**', '*a', 'a*', 'a.*', '*.*', '*.', 'a.*.b', '@.a', 'a@b', 'a\u0000b'],
      ...['example.com', 'www.example.com', 'WWW.Example.COM', 'example.com.', 'other.org.'],
      ...['xn--a', 'xn--zzzzzzzz', 'a'.repeat(64), `${'a.'.repeat(121)}a`, 'ａ\u3002', '\u200d'],
    ]
    for (const text of bad) assert.equal(kept(text), null, JSON.stringify(text))
  })

  it('explains the form of a whole name', () => {
    const problem = (text: string) => Object(parseDnsHost(text, domain)).problem
    assert.match(problem('www.Example.com'), /: "www"$/)
    assert.match(problem('example.com'), /: "@"$/)
  })

  it('is always within its domain, and is parsed to itself', () => {
    const sign = fc.constantFrom(...'aZ09-.*@_ü\u3002')
    const text = fc.oneof(
      fc.array(sign, { maxLength: 9 }).map((signs) => signs.join('')),
      fc.string(),
    )
    fc.assert(
      fc.property(text, (any) => {
        const read = kept(any)
        if (!read) return
        assert.ok(read.name === domain || read.name.endsWith(`.${domain}`))
        assert.equal(parseHost(read.name.replace(/^\*\./, '')), read.name.replace(/^\*\./, ''))
        assert.deepEqual(kept(read.host), read)
      }),
      { numRuns: 3000 },
    )
  })
})
