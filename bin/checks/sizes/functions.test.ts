// A function above the limit is reported, one at it is not, whatever its syntax.
import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { madeTree } from '../made.fixture.ts'
import { checkFunctions } from './functions.ts'

const body = (count: number) => '  work()\n'.repeat(count - 2)
const sqlFunction = (name: string, count: number) =>
  `create or replace function ${name}() returns void\nlanguage sql as $$\n` +
  `${'  select 1;\n'.repeat(count - 3)}$$;\n`

/** By syntax: a function of so many lines. */
const kinds: Record<string, (count: number) => string> = {
  'a declaration': (count) => `function a() {\n${body(count)}}\n`,
  'an arrow function': (count) => `const a = () => {\n${body(count)}}\n`,
  'a function expression': (count) => `const a = function () {\n${body(count)}}\n`,
  'a function with another inside it': (count) =>
    `function a() {\n  return () => {\n${body(count - 2)}  }\n}\n`,
}
for (const [kind, made] of Object.entries(kinds))
  test(`too long: ${kind}`, (t) => {
    const files = { 'src/at.ts': made(70), 'src/above.tsx': made(71) }
    deepEqual(checkFunctions(madeTree(t, files)), [
      'src/above.tsx:1 a function has 71 lines, and may have 70',
    ])
  })

test('too long: methods of objects and classes', (t) => {
  const method = (name: string) => `${name}() {\n${body(71)}}\n`
  const members = ['a', '#b', 'get c'].map(method).join('\n')
  const files = { 'src/a.ts': `class A {\n${members}\n}\nconst o = {\n${method('d')}}\n` }
  deepEqual(
    checkFunctions(madeTree(t, files)),
    [2, 74, 146, 220].map((line) => `src/a.ts:${line} a function has 71 lines, and may have 70`),
  )
})

test('too long: a component of the dashboard, most of which is text between tags', (t) => {
  const component = (count: number) =>
    `function A() {\n  return (\n    <p>\n${'text\n'.repeat(count - 6)}    </p>\n  )\n}\n`
  const files = {
    'dashboard/src/a.tsx': component(70),
    'dashboard/src/pages/b.tsx': component(71),
  }
  deepEqual(checkFunctions(madeTree(t, files)), [
    'dashboard/src/pages/b.tsx:1 a function has 71 lines, and may have 70',
  ])
})

test('too long: a function of SQL', (t) => {
  const files = {
    'src/db/functions/a.sql': `${sqlFunction('short', 70)}\n${sqlFunction('long', 71)}`,
  }
  deepEqual(checkFunctions(madeTree(t, files)), [
    'src/db/functions/a.sql long has 71 lines, and may have 70',
  ])
})

test('tests, generated files, applied migrations and lists of values are not counted', (t) => {
  const long = `function a() {\n${body(90)}}\n`
  const rows = "    ('a'),\n".repeat(90)
  const values = `  select * from (values\n${rows}    ('b')\n  ) as list (a)\n$$;`
  const tree = madeTree(t, {
    'src/a.test.ts': long,
    'src/a.gen.ts': long,
    'sdk/src/a.ts': long,
    'src/db/migrations/0001-a/up.sql': sqlFunction('applied', 71),
    'src/db/functions/list.sql': sqlFunction('list', 6).replace('$$;', values),
  })
  deepEqual(checkFunctions(tree), [])
})

test('a fixture is counted, and a file that cannot be parsed is reported', (t) => {
  const tree = madeTree(t, {
    'src/a.fixture.ts': `function a() {\n${body(71)}}\n`,
    'src/b.ts': 'function (',
  })
  const complaints = checkFunctions(tree)
  deepEqual(complaints[0], 'src/a.fixture.ts:1 a function has 71 lines, and may have 70')
  deepEqual(complaints.length, 2)
})
