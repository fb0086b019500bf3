// IDNA 2008 by a second implementation, Debian's python3-idna: every code point that both versions
// of Unicode know has one class in both, and labels are taken or refused by both.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { toUnicode } from 'tr46'
import { hostRules, idnaProperty, readHost } from '../../../src/kit/net/host.ts'

const python = '/usr/bin/python3'
const isThere = spawnSync(python, ['-c', 'import idna']).status === 0
const skip =
  isThere || process.env.CI === 'true' ? false : 'No python3-idna for /usr/bin/python3 here.'

type Answer = {
  unicode: string
  classes: string[]
  assigned: boolean[]
  labels: (string | null)[]
}

// Characters that rules turn on, and all those below U+3400 of both directions and many scripts.
const deciding = fc.constantFrom(...'ab-l1\u00b7\u0375\u03b1\u05d0\u05f3\u0627\u0660\u06f0\u30fb')
const joining = fc.constantFrom(...'\u30ab\u200c\u200d\u094d\u0915\u0301\u0323\u0644\u0645')
const others = fc.integer({ min: 0x80, max: 0x33ff }).map((code) => String.fromCodePoint(code))
const label = fc
  .array(fc.oneof(deciding, joining, others), { minLength: 1, maxLength: 5 })
  .map((characters) => characters.join('').normalize('NFC'))

/** As a U-label, it is accepted without mapping. */
function taken(text: string): string | null {
  const read = readHost(`${text}.com`)
  if ('problem' in read) return null
  const isUnmapped = toUnicode(read.host, hostRules).domain === `${text}.com`
  return isUnmapped ? read.host.slice(0, -'.com'.length) : null
}

describe('IDNA 2008 by python3-idna', { skip }, () => {
  const labels = fc.sample(label, { numRuns: 20_000, seed: 5892 })
  let second: Answer

  before(() => {
    const { stdout, stderr, status } = spawnSync(
      python,
      [resolve('test/programs/idna/second-idna.py')],
      {
        input: JSON.stringify({ labels }),
        maxBuffer: 64 * 1024 * 1024,
        encoding: 'utf8',
      },
    )
    assert.equal(status, 0, stderr)
    second = JSON.parse(stdout)
  })

  it('has the same class of every code point that both versions of Unicode know', (test) => {
    const differences: string[] = []
    let newer = 0
    for (const [code, name] of second.classes.entries()) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const own = idnaProperty(String.fromCodePoint(code))
      const isKnown = own !== 'UNASSIGNED' && second.assigned[code]
      if (!isKnown) newer += Number(own !== 'UNASSIGNED' || second.assigned[code])
      else if (own !== name)
        differences.push(`U+${code.toString(16).toUpperCase()}: ${own} here, ${name} there`)
    }
    const versions = `Unicode ${process.versions.unicode} here, ${second.unicode} there`
    test.diagnostic(`${versions}: ${newer} code points are known to one of them alone`)
    assert.deepEqual(differences, [], versions)
    assert.ok(second.classes.filter((name) => name === 'PVALID').length > 90_000)
  })

  it('takes the same labels, and encodes them alike', () => {
    const isShared = (text: string) =>
      [...text].every((one) => {
        const isHere = idnaProperty(one) !== 'UNASSIGNED'
        return isHere && second.assigned[one.codePointAt(0) ?? 0]
      })
    const differences = labels.flatMap((text, at) => {
      const there = second.labels[at] ?? null
      const here = taken(text)
      return isShared(text) && here !== there ? [{ text: escape(text), here, there }] : []
    })
    assert.deepEqual(differences, [])
    const both = second.labels.filter((one) => one !== null).length
    assert.ok(both > 500 && both < labels.length - 500, `${both} of ${labels.length} are taken`)
  })
})
