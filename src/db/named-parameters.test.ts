// Named parameters: their recognition, their numbers, and the position of an error of PostgreSQL in
// the source.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { valuesOf } from './database.ts'
import { numberParameters, sourcePosition } from './named-parameters.ts'

describe('parameters', () => {
  test('are numbered in the order in which they first appear', () => {
    const { text, params } = numberParameters('select :b::int, :a, :b + :c_2 where x=:a')
    assert.equal(text, 'select $1::int, $2, $1 + $3 where x=$2')
    assert.deepEqual(params, ['b', 'a', 'c_2'])
  })

  test('may stand next to any punctuation but a bracket that closes', () => {
    const { text } = numberParameters('any(:a),(:b)-:c [:d] array[:e,:f] x<:g ')
    assert.equal(text, 'any($1),($2)-$3 [$4] array[$5,$6] x<$7 ')
  })

  test('without a name, or with one in another case, are refused', () => {
    assert.throws(() => numberParameters('select 1 where x = $12'), /\$12 has no name/)
    assert.throws(() => numberParameters('select :aName'), /:aName is not in lower snake case/)
    assert.throws(() => numberParameters('select :a$b'), /:a\$b is not in lower snake case/)
  })

  test('get their values by name, and none is left out', () => {
    const one = { name: 'one', ...numberParameters('select :b, :a, :b') }
    assert.deepEqual(valuesOf(one, { a: null, b: 2, c: 3 }), [2, null])
    assert.throws(() => valuesOf(one, { b: 2 }), /Statement "one" got no value for :a/)
    assert.throws(() => valuesOf(one), /got no value for :b/)
  })
})

const other = [
  `':a'`,
  `'it''s :a'`,
  `e'it\\'s :a'`,
  `E'\\\\'`,
  `e'a'\n  'it\\'s :a'`,
  `":a"`,
  `"a"":b"`,
  '$$ :a $1 $$',
  '$tag$ :a $$ :b $tag$',
  '-- :a\n',
  "-- it's\r",
  '/* :a */',
  '/* :a /* :b */ :c */',
  'x::int',
  `'1'::text`,
  '(1)::int',
  'a[1]::int[]',
  'a[1:2]',
  'a[lo:hi]',
  'a[:2]',
  'a := 1',
  'a$1',
  '1:2',
]

describe('text that is not a parameter', () => {
  for (const text of other) {
    test(`${JSON.stringify(text)} stays as it is`, () => {
      assert.deepEqual(numberParameters(`${text} `), { text: `${text} `, params: [] })
    })
  }

  test('stays as it is when it is not closed: PostgreSQL reports it', () => {
    for (const text of [`'a :b`, `"a :b`, `e'a\\' :b`, '$$ :b', '$t$ :b $$', '/* /* :b */'])
      assert.deepEqual(numberParameters(text), { text, params: [] })
  })
})

const name = fc.constantFrom('a', 'b', 'city', 'a_1', 'limit', 'e')
const piece = fc.oneof(
  fc.constantFrom(...other, 'select', '+', ',', '(', ')', '\n').map((text) => ({ text, name: '' })),
  name.map((one) => ({ text: `:${one}`, name: one })),
)

describe('any statement', () => {
  test('keeps all but its parameters, which are numbered from 1 without a gap', () => {
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const { text, params } = numberParameters(pieces.map((one) => one.text).join(' '))
        const names = [...new Set(pieces.flatMap((one) => one.name || []))]
        assert.deepEqual(params, names)
        const expected = pieces.map((one) =>
          one.name === '' ? one.text : `$${names.indexOf(one.name) + 1}`,
        )
        assert.equal(text, expected.join(' '))
      }),
    )
  })

  test('has each character of its rewritten text at a place of its source', () => {
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const source = pieces.map((one) => one.text).join(' ')
        const { text } = numberParameters(source)
        for (let position = 1; position <= text.length; position += 1) {
          const at = source[sourcePosition(source, position) - 1]
          const rewritten = text[position - 1]
          assert.ok(at === rewritten || at === ':', `${rewritten} is not ${at}`)
        }
      }),
    )
  })
})

const lexemes = [
  `'`,
  `''`,
  '"',
  '$$',
  '$t$',
  '$',
  '--',
  '/*',
  '*/',
  '\n',
  '\r',
  '\\',
  'e',
  'E',
  'x',
]
const punctuation = [':a', ':b', ':', '::', ':=', '[', ']', '(', ')', ',', '->>', ' ', '1', '_']

/** The rest of a string whose quote is before `at`: where it ends, as the manual has it (4.1.2). */
function endOfString(source: string, at: number, escapes: boolean): number {
  for (let i = at; i < source.length; i += 1) {
    if (escapes && source[i] === '\\') i += 1
    else if (source[i] === "'") {
      if (source[i + 1] === "'") i += 1
      else {
        const next = /^[ \t]*[\n\r][ \t\n\r]*'/.exec(source.slice(i + 1))
        return next ? endOfString(source, i + 1 + next[0].length, escapes) : i + 1
      }
    }
  }
  return source.length
}

function endOf(source: string, at: number, mark: string): number {
  const found = source.indexOf(mark, at)
  return found < 0 ? source.length : found + mark.length
}

/** Where the text that begins at `at` ends, if parameters there are none; else `at`. */
function skipped(source: string, at: number): number {
  const word = /[A-Za-z0-9_$]/.test(source[at - 1] ?? '')
  const rest = source.slice(at)
  if (!word && /^[eE]'/.test(rest)) return endOfString(source, at + 2, true)
  if (rest.startsWith("'")) return endOfString(source, at + 1, false)
  if (rest.startsWith('"')) return endOf(source, at + 1, '"')
  if (rest.startsWith('--')) return at + (/[\n\r]/.exec(rest)?.index ?? rest.length)
  const dollar = word ? null : /^\$([A-Za-z_][A-Za-z_0-9]*)?\$/.exec(rest)
  if (dollar) return endOf(source, at + dollar[0].length, dollar[0])
  if (!rest.startsWith('/*')) return at
  let depth = 0
  for (let i = at; i < source.length; i += 1) {
    const two = source.slice(i, i + 2)
    if (two === '/*' || two === '*/') {
      depth += two === '/*' ? 1 : -1
      i += 1
    }
    if (depth === 0) return i + 1
  }
  return source.length
}

/** The same rules, as a scanner that looks at one character after the other. */
function scanned(source: string): string[] {
  const found: string[] = []
  for (let at = 0; at < source.length; ) {
    const end = skipped(source, at)
    const name = /^:([A-Za-z_][A-Za-z_0-9$]*)/.exec(source.slice(at))?.[1]
    const apart = !/[A-Za-z0-9_$:\])'"]/.test(source[at - 1] ?? '')
    if (end === at && name !== undefined && apart) found.push(name)
    at = end > at ? end : at + (name !== undefined && apart ? name.length + 1 : 1)
  }
  return found
}

test('finds the parameters of any text where PostgreSQL reads no string or comment', () => {
  const text = fc.array(fc.constantFrom(...lexemes, ...punctuation), { maxLength: 14 })
  fc.assert(
    fc.property(text, (parts) => {
      const source = parts.join('')
      const names = scanned(source)
      if (names.some((one) => !/^[a-z][a-z0-9_]*$/.test(one)))
        assert.throws(() => numberParameters(source), /not in lower snake case|has no name/)
      else if (!/\$\d/.test(source))
        assert.deepEqual(numberParameters(source).params, [...new Set(names)])
    }),
    { numRuns: 4_000 },
  )
})
