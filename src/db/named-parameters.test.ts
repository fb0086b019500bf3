// Named parameters: which colons are one, in which order they are numbered, and where an error of
// PostgreSQL is in the source.
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
  `":a"`,
  `"a"":b"`,
  '$$ :a $1 $$',
  '$tag$ :a $$ :b $tag$',
  '-- :a\n',
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
