// Two fragments are refused: a comment or a description that begins with "Of", and a clause without
// a verb after "null:".
import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { madeTree } from '../made.fixture.ts'
import { checkProse } from './prose.ts'

const heading = 'begins with "Of"; use: a phrase whose subject is the thing itself'
const clause = 'has a clause without a verb after "null:"; use: "null if ..." or "null while ..."'

test('refuses a comment that begins with "Of", in each form of a comment', (t) => {
  const tree = madeTree(t, {
    'src/a.ts': [
      '// Of the order.',
      'const b = 1 // Of one kind.',
      '/** Of the webhook. */',
      '  /**',
      '   * Of two nodes, the first.',
      '   *',
      '   * Of both, the last.',
      '   */',
    ].join('\n'),
    'src/db/functions/a.sql': '-- Of the key.\nselect 1; -- Of the order.',
    'bin/a.sh': '# Of the host.',
  })
  deepEqual(checkProse(tree), [
    `bin/a.sh:1 ${heading}`,
    ...[1, 2, 3, 5, 7].map((line) => `src/a.ts:${line} ${heading}`),
    `src/db/functions/a.sql:1 ${heading}`,
    `src/db/functions/a.sql:2 ${heading}`,
  ])
})

test('refuses a description that begins with "Of", also on the next line or as an argument', (t) => {
  const tree = madeTree(t, {
    'src/a.ts': [
      "const id = Type.String({ description: 'Of the order.' })",
      'const at = dateTime(',
      '  "Of the customer\'s order.",',
      ')',
      "const of = identifier('ord', 'Of the order.')",
    ].join('\n'),
  })
  deepEqual(
    checkProse(tree),
    [1, 3, 5].map((line) => `src/a.ts:${line} ${heading}`),
  )
})

test('refuses "null:" after a semicolon or a comma, in code and in documents', (t) => {
  const tree = madeTree(t, {
    'dashboard/src/a.tsx': '/** The name; null: there is none. */\n/** How many, null: all. */',
    'docs/a.md': '| name | text; null: none |',
    'src/db/migrations/0002-a/why.md': 'The end, null: it has none.',
  })
  deepEqual(checkProse(tree), [
    `dashboard/src/a.tsx:1 ${clause}`,
    `dashboard/src/a.tsx:2 ${clause}`,
    `docs/a.md:1 ${clause}`,
    `src/db/migrations/0002-a/why.md:1 ${clause}`,
  ])
})

test('passes sentences, a cast to a type, what tests send, and files that never change', (t) => {
  const fragments = "-- Of the order; null: none.\nconst a = 'Of the order; null: none.'"
  const tree = madeTree(t, {
    'src/a.ts': [
      '// The number of the order, or null if there is none.',
      '// The sum is that',
      '// Of the order.',
      "const sql = 'select a, null::text'",
      "const often = 'Often'",
    ].join('\n'),
    'src/a.test.ts': "const name = 'Of another customer'",
    'src/db/migrations/0002-a/up.sql': fragments,
    'src/db/a.gen.ts': fragments,
    'docs/database.md': fragments,
  })
  deepEqual(checkProse(tree), [])
})
