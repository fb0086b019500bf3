// Patterns of the hosts of DNS records: parsing, matching and comparison.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { coversHost, isNarrowPattern, matchesHost, parseHostPattern } from './host-patterns.ts'

describe('a pattern of hosts', () => {
  it('is relative, in lower case with A-labels, and "*" may be anywhere in it', () => {
    const read: [string, string | undefined][] = [
      ['@', '@'],
      ['WWW', 'www'],
      ['_acme-challenge*', '_acme-challenge*'],
      ['_Acme-Challenge.b', '_acme-challenge.b'],
      ['*', '*'],
      ['*.App', '*.app'],
      ['a*b*c.*', 'a*b*c.*'],
      ['bücher', 'xn--bcher-kva'],
      ['*.bücher', '*.xn--bcher-kva'],
      ['xn--bcher-kva', 'xn--bcher-kva'],
      ['s1-', 's1-'],
      ['', undefined],
      ['@.www', undefined],
      ['www.', undefined],
      ['.www', undefined],
      ['a..b', undefined],
      ['a b', undefined],
      ['bü*', undefined],
      ['[a-z]+', undefined],
      ['xn--\u0000', undefined],
      ['a'.repeat(64), undefined],
      [`${'a.'.repeat(127)}a`, undefined],
    ]
    for (const [text, kept] of read) assert.equal(parseHostPattern(text), kept, text)
  })

  it('matches whole hosts, and "*" reaches deeper labels', () => {
    const matches: [string, string, boolean][] = [
      ['_acme-challenge*', '_acme-challenge', true],
      ['_acme-challenge*', '_acme-challenge.www', true],
      ['_acme-challenge*', 'a._acme-challenge', false],
      ['*.app', 'a.b.app', true],
      ['*.app', 'app', false],
      ['*.app', '*.app', true],
      ['*', '@', true],
      ['@', '@', true],
      ['www', 'www.www', false],
      ['www', '@', false],
      ['a*a', 'a', false],
    ]
    for (const [pattern, host, is] of matches)
      assert.equal(matchesHost(pattern, host), is, `${pattern} ${host}`)
  })

  it('is narrow where it is written out, or below _acme-challenge', () => {
    for (const one of ['www', '@', 'a.b', '_acme-challenge*', '_acme-challenge.*'])
      assert.ok(isNarrowPattern(one), one)
    for (const one of ['*', '*.app', 'www*', '*_acme-challenge']) assert.ok(!isNarrowPattern(one))
  })
})

describe('a host', () => {
  const host = fc.stringMatching(/^[ab.]{0,7}$/)
  const glob = fc.stringMatching(/^[ab.*]{0,6}$/)
  const expressionOf = (pattern: string) =>
    new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)

  it('matches a pattern where it matches the regular expression of it', () =>
    fc.assert(
      fc.property(glob, host, (pattern, text) => {
        assert.equal(matchesHost(pattern, text), expressionOf(pattern).test(text))
      }),
      { numRuns: 2_000 },
    ))

  it('of a pattern is one of the patterns that cover it', () =>
    fc.assert(
      fc.property(fc.array(glob, { maxLength: 3 }), glob, host, (outer, inner, text) => {
        if (coversHost(outer, inner) && matchesHost(inner, text))
          assert.ok(
            outer.some((one) => matchesHost(one, text)),
            `${outer} ${inner} ${text}`,
          )
      }),
      { numRuns: 2_000 },
    ))

  it('is compared quickly, however the stars could be placed', () => {
    const started = process.cpuUsage().user
    const outer = Array.from({ length: 100 }, (_, i) => `${'*a'.repeat(30)}*b${i}`)
    for (let i = 0; i < 100; i += 1) coversHost(outer, 'a'.repeat(253))
    assert.ok(process.cpuUsage().user - started < 500_000)
  })
})
