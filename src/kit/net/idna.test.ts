// IDNA 2008 in host names of requests: the derived properties, the contextual rules, and errors
// that name the character. A second implementation is compared in test/programs.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { toUnicode } from 'tr46'
import {
  forbiddenIn,
  hostRules,
  type IdnaProperty,
  idnaProperty,
  parseHost,
  readHost,
} from './host.ts'

const problemOf = (text: string, reading = {}) => {
  const read = readHost(text, reading)
  return 'problem' in read ? read.problem : ''
}

it('derives a property of each rule of RFC 5892 section 3', () => {
  const wanted: [string, IdnaProperty][] = [
    ['a', 'PVALID'],
    ['-', 'PVALID'],
    ['A', 'DISALLOWED'],
    ['\u00df', 'PVALID'],
    ['\u0640', 'DISALLOWED'],
    ['\u00b7', 'CONTEXTO'],
    ['\u0660', 'CONTEXTO'],
    ['\u200d', 'CONTEXTJ'],
    ['\u0378', 'UNASSIGNED'],
    ['\ufdd0', 'DISALLOWED'],
    ['\u1100', 'DISALLOWED'],
    ['\u20d0', 'DISALLOWED'],
    ['\u2011', 'DISALLOWED'],
    ['\u2764', 'DISALLOWED'],
    ['\u0344', 'DISALLOWED'],
    ['\u13a0', 'PVALID'],
    ['\uab70', 'DISALLOWED'],
    ['\u1f80', 'DISALLOWED'],
    ['\u4e00', 'PVALID'],
    ['\ue000', 'DISALLOWED'],
  ]
  for (const [character, property] of wanted)
    assert.equal(idnaProperty(character), property, escape(character))
})

it('takes a character of context where its rule says so, and nowhere else', () => {
  const fits = ['l\u00b7l', '\u0375\u03b1', '\u05d0\u05f3', '\u05d0\u05f4', '\u30a2\u30fb']
  const not = ['l\u00b7a', '\u00b7l', '\u0375a', '\u03b1\u0375', 'a\u05f3', '\u30fba']
  for (const label of [...fits, '\u0660\u0661', '\u06f0\u06f1'])
    assert.equal(forbiddenIn(label), undefined, label)
  for (const label of [...not, '\u0660\u06f0', '\u06f0\u0660'])
    assert.equal(forbiddenIn(label)?.property, 'CONTEXTO', label)
})

describe('an error about a name', () => {
  it('names the character that was written, and the plain name', () => {
    const plain = ': the plain name is "my-agent.com"'
    const no = 'which no name may have'
    const shown: [string, string][] = [
      ['my\u2011agent.com', `has U+2011 NON-BREAKING HYPHEN, ${no} (IDNA 2008)${plain}`],
      ['MY\u2010Agent.com', `has U+2010 HYPHEN, ${no} (IDNA 2008)${plain}`],
      ['my\u2014agent.com', `has U+2014 EM DASH, ${no} (IDNA 2008)${plain}`],
      ['my_agent.com', `has U+005F LOW LINE, ${no}${plain}`],
      [' my-agent.com', `has U+0020 SPACE, ${no}${plain}`],
      ['\u200emy-agent.com', `has U+200E LEFT-TO-RIGHT MARK, ${no}${plain}`],
      ['my\u2011b\u00fccher.com', `: the plain name is "my-b\u00fccher.com"`],
      ['i\u2764.ws', `has U+2764 HEAVY BLACK HEART, ${no} (IDNA 2008)`],
      ['a\u0378.com', 'has U+0378 <reserved-0378>, which no name may have'],
      ['l\u00b7a.com', 'has U+00B7 MIDDLE DOT where no name may have it (RFC 5892)'],
      ['a\u200db.com', 'has U+200D ZERO WIDTH JOINER where no name may have it (RFC 5892)'],
      ['\u0301a.com', 'has a label that begins with U+0301 COMBINING ACUTE ACCENT'],
      ['\u05d0a.com', 'mixes directions of writing (RFC 5893)'],
      ['a..com', ''],
      ['-a.com', ''],
    ]
    for (const [text, problem] of shown)
      assert.ok(
        problemOf(text).includes(problem) && (problemOf(text) !== '') === (problem !== ''),
        text,
      )
  })

  it('says of A-labels what they stand for', () => {
    const host = parseHost('my\u2011agent.com') ?? assert.fail()
    const has = 'stands for "my\u2010agent.com", which has U+2010 HYPHEN, which no name may have'
    assert.equal(problemOf(host), `${has} (IDNA 2008): the plain name is "my-agent.com"`)
  })
})

it('takes what the entry of a TLD allows, under that TLD alone', () => {
  const exceptions = new Map([['ws', /^[\u2764\u{1f600}-\u{1f64f}]$/u]])
  assert.deepEqual(readHost('i\u2764.ws', { exceptions }), { host: 'xn--i-7iq.ws' })
  assert.deepEqual(readHost('ns1.\u{1f600}.ws', { exceptions }), { host: 'ns1.xn--e28h.ws' })
  assert.match(problemOf('i\u2764.com', { exceptions }), /HEAVY BLACK HEART/)
  assert.match(problemOf('my\u2011agent.ws', { exceptions }), /NON-BREAKING HYPHEN/)
})

it('checks only what stands in front of a domain that is kept already', () => {
  const within = parseHost('my\u2011agent.com') ?? assert.fail()
  assert.deepEqual(readHost(`ns1.${within}`, { within }), { host: `ns1.${within}` })
  assert.deepEqual(readHost(within, { within }), { host: within })
  assert.match(problemOf(`ns\u20111.${within}`, { within }), /NON-BREAKING HYPHEN/)
})

const assigned = fc
  .integer({ min: 0x21, max: 0x1ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
const label = fc.array(fc.oneof(assigned, fc.constantFrom(...'ab-l\u00b7\u0660\u06f0')), {
  maxLength: 6,
})

it('takes no name with a forbidden character, and its own answers again', () => {
  fc.assert(
    fc.property(label, (characters) => {
      const read = readHost(`${characters.join('')}.com`)
      if ('problem' in read) return
      assert.deepEqual(readHost(read.host), read)
      const unicode = toUnicode(read.host, hostRules).domain
      assert.deepEqual(readHost(unicode), read)
      for (const one of unicode.split('.')) assert.equal(forbiddenIn(one), undefined)
    }),
    { numRuns: 5000 },
  )
})

it('offers a plain name only where it is a name', () => {
  const dashed = fc.array(fc.constantFrom(...'abz\u2011\u2014_ \u2019\u200e\u2764\u0301.'))
  fc.assert(
    fc.property(dashed, (characters) => {
      const plain = /: the plain name is "(.*)"$/.exec(problemOf(characters.join('')))?.[1]
      if (plain !== undefined) assert.ok('host' in readHost(plain), plain)
    }),
    { numRuns: 2000 },
  )
})

it('takes every name of ASCII characters that UTS 46 takes', () => {
  const ascii = fc.stringMatching(/^[a-zA-Z0-9.-]{1,12}$/).filter((text) => !/xn--/i.test(text))
  fc.assert(
    fc.property(ascii, (text) => {
      const host = parseHost(text)
      const read = readHost(text)
      assert.equal('host' in read ? read.host : undefined, host)
    }),
  )
})
