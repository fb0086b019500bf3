// The strict JSON parser accepts what JSON.parse accepts, except where a value would be altered.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseJson } from './json.ts'

const json = (text: string) => parseJson(Buffer.from(text))

test('JSON is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      const answer = json(text)
      if ('value' in answer) assert.deepEqual(answer.value, JSON.parse(text))
      else assert.match(answer.problem.msg, /Duplicate|__proto__|exact|digits|surrogate|U\+0000/)
    }),
  )
})

test('refuses JSON whose values parsing would alter', () => {
  const cases = [
    '{"a":1,"a":2}',
    '{"a":{"b":1,"c":[{"d":1,"d":2}]}}',
    '{"__proto__":{"x":1}}',
    '"\\ud800"',
    '"\\u0000"',
    '9007199254740993',
    '1e400',
    '1e-400',
    '[0.10000000000000000555]',
    '{"a":-1.0000000000000000000001}',
    '[1] 2',
    '{"a":1}}',
    '\ufeff{}',
    `${'['.repeat(40)}${']'.repeat(40)}`,
    '',
    '{"a"',
  ]
  for (const text of cases) assert.ok('problem' in json(text), text.slice(0, 40))
  assert.ok('problem' in parseJson(Buffer.from([0x22, 0xff, 0x22])))
  const exact = '[0.30000000000000004,0.10000000000000000000,1e2,-5e-324,123456789012345.5,1E+2]'
  assert.deepEqual(json(exact), { value: JSON.parse(exact) })
  assert.deepEqual(json('{"a":"{\\"a\\":1}","b":["a","a"]}'), {
    value: { a: '{"a":1}', b: ['a', 'a'] },
  })
})

test('JSON nested 100,000 deep is refused in a moment', () => {
  const began = performance.now()
  assert.ok('problem' in json('['.repeat(100_000)))
  assert.ok('problem' in json(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))
  assert.ok(performance.now() - began < 5_000)
})
