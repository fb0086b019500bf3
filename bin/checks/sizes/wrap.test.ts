// Comments are wrapped at a word, and code is left alone.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { wrapComments } from './wrap.ts'

/** Here every line counts as a comment, whatever it looks like. */
const wrapped = (...lines: string[]) =>
  wrapComments(lines.join('\n'), new Set(lines.map((_, at) => at + 1)), 30).split('\n')

test('a wide comment flows into the line below it', () => {
  deepEqual(wrapped('  // one two three four five six seven', '  // eight', 'code()'), [
    '  // one two three four five',
    '  // six seven eight',
    'code()',
  ])
})

test('a wide comment above an item, another mark or code gets a line of its own', () => {
  deepEqual(wrapped('// one two three four five six seven', '// - item'), [
    '// one two three four five six',
    '// seven',
    '// - item',
  ])
  deepEqual(wrapped('// one two three four five six seven', 'code()'), [
    '// one two three four five six',
    '// seven',
    'code()',
  ])
})

test('a doc comment of one line becomes one of several', () => {
  deepEqual(wrapped('/** one two three four five six seven */'), [
    '/**',
    ' * one two three four five six',
    ' * seven',
    ' */',
  ])
})

test('narrow comments, code and a word that cannot be cut stay as they are', () => {
  for (const line of [
    '// narrow',
    "call('a long text that is no comment at all')",
    `// ${'x'.repeat(40)}`,
  ])
    deepEqual(wrapped(line), [line])
})

test('a line in a string that looks like a comment stays as it is', () => {
  const text = '  * one two three four five six seven'
  equal(wrapComments(text, new Set(), 30), text)
})
