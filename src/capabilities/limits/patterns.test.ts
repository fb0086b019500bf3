// Patterns of domains and networks: parsing, matching and comparison.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  coversNetwork,
  coversPattern,
  expressionOfAny,
  matchesAny,
  parseDomainPattern,
  parseNetwork,
} from './patterns.ts'

describe('a pattern of domains', () => {
  it('is a name, or has up to three "*" in the label before the TLD', () => {
    const read: [string, string | undefined][] = [
      ['My-Agent.com', 'my-agent.com'],
      ['bücher.example', 'xn--bcher-kva.example'],
      ['*.com', '*.com'],
      ['Shop-*.co.uk', 'shop-*.co.uk'],
      ['a*b*c*.com', 'a*b*c*.com'],
      ['a*b*c*d*.com', undefined],
      ['*', undefined],
      ['*.', undefined],
      ['com', undefined],
      ['*.*', undefined],
      ['shop.*.com', undefined],
      ['bü*.com', undefined],
      ['[a-z]+.com', undefined],
      ['.*.com', undefined],
      ['a_*.com', undefined],
      ['a*.c om', undefined],
    ]
    for (const [text, kept] of read) {
      const pattern = parseDomainPattern(text)
      assert.equal('host' in pattern ? pattern.host : undefined, kept, text)
    }
  })

  it('matches whole names, and no "*" reaches another label', () => {
    const matches: [string, string, boolean][] = [
      ['*.com', 'a.com', true],
      ['*.com', 'a.b.com', false],
      ['*.com', 'a.community', false],
      ['shop-*.com', 'shop-.com', true],
      ['shop-*.com', 'xshop-a.com', false],
      ['a*a.com', 'a.com', false],
      ['a.com', 'axcom', false],
    ]
    for (const [pattern, name, is] of matches)
      assert.equal(matchesAny([pattern], name), is, `${pattern} ${name}`)
  })

  const label = fc.stringMatching(/^[ab-]{1,4}$/)
  const glob = fc.stringMatching(/^[ab*-]{1,5}$/).map((text) => `${text}.com`)

  it('that covers another matches all its names, in JavaScript and in one expression', () =>
    fc.assert(
      fc.property(glob, glob, label, (outer, inner, text) => {
        const name = `${text}.com`
        const expression = new RegExp(expressionOfAny([outer, inner]))
        assert.equal(expression.test(name), matchesAny([outer, inner], name))
        if (coversPattern([outer], inner) && matchesAny([inner], name))
          assert.ok(matchesAny([outer], name), `${outer} ${inner} ${name}`)
      }),
    ))

  it('is matched quickly, however its stars could be placed', () => {
    const started = process.cpuUsage().user
    // A key with the most patterns makes one with the most names: one request.
    const outer = Array.from({ length: 100 }, (_, i) => `*a*a*b${i}.com`)
    for (let i = 0; i < 100; i += 1) coversPattern(outer, `${'a'.repeat(63)}.com`)
    assert.ok(process.cpuUsage().user - started < 500_000)
  })
})

describe('a network', () => {
  it('is in CIDR notation, and in IPv6 a /64 or wider', () => {
    const read: [string, string | undefined][] = [
      ['192.0.2.7', '192.0.2.7/32'],
      ['192.0.2.7/24', '192.0.2.0/24'],
      ['2001:DB8:1:2:3::4', '2001:db8:1:2::/64'],
      ['2001:db8::/32', '2001:db8::/32'],
      ['2001:db8::/65', undefined],
      ['192.0.2.0/33', undefined],
      ['0.0.0.0/0', undefined],
      ['192.0.2.0/024', undefined],
      ['127.1', undefined],
      ['010.0.0.1', undefined],
      ['fe80::1%eth0', undefined],
      ['a.example', undefined],
      ['192.0.2.0/24/24', undefined],
    ]
    for (const [text, kept] of read) assert.equal(parseNetwork(text), kept, text)
  })

  it('covers addresses as they are counted, and narrower networks', () => {
    const covers: [string, string, boolean][] = [
      ['192.0.2.0/24', '192.0.2.7', true],
      ['192.0.2.0/24', '192.0.3.7', false],
      ['192.0.2.0/24', '192.0.2.0/25', true],
      ['192.0.2.0/24', '192.0.2.0/23', false],
      ['2001:db8::/32', '2001:db8:1:2::/64', true],
      ['2001:db8::/64', '2001:db8:0:1::/64', false],
      ['2001:db8::/32', '192.0.2.7', false],
      ['192.0.2.0/24', 'unix', false],
    ]
    for (const [outer, inner, is] of covers)
      assert.equal(coversNetwork([outer], inner), is, `${outer} ${inner}`)
  })
})
