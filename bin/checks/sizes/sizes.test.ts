// Sizes above a limit are reported, and those at the limit are not. Comments that are too wide are
// wrapped in their files.
import { deepEqual, equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { madeTree } from '../made.fixture.ts'
import { checkSizes, wrapTree } from './sizes.ts'

const lines = (count: number) => '// line\n'.repeat(count)
const kit = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`src/kit/${at % 2}/k${at}.ts`, lines(1)]),
  )
const folder = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/db/d${at}.ts`, lines(1)]))

const cases: readonly [name: string, files: Record<string, string>, complaint: string][] = [
  ['a long file', { 'src/a.ts': lines(301) }, 'src/a.ts has 301 lines, and may have 300'],
  [
    'a long README',
    { 'src/capabilities/x/README.md': '.\n'.repeat(41) },
    'src/capabilities/x/README.md has 41 lines, and may have 40',
  ],
  ['a full kit', kit(26), 'src/kit has 26 files, and may have 25'],
  ['a full folder', folder(26), 'src/db has 26 files, and may have 25'],
  ['a wide line', { 'a.ts': `// a\n'${'é'.repeat(99)}'` }, 'a.ts:2 is 101 wide, and may be 100'],
  ['a wide script', { 'bin/a': `#${'.'.repeat(100)}` }, 'bin/a:1 is 101 wide, and may be 100'],
  ['a wide migration', { 'a.sql': '.'.repeat(101) }, 'a.sql:1 is 101 wide, and may be 100'],
  ['no first line', { 'a.ts': 'const a = 1' }, 'a.ts:1 begins without a line on what it is for'],
]
for (const [name, files, complaint] of cases)
  test(`too large: ${name}`, (t) => {
    deepEqual(checkSizes(madeTree(t, files)), [complaint])
  })

test('a file at the limit passes, and a generated file may be longer', (t) => {
  const tree = madeTree(t, {
    ...kit(25),
    ...folder(25),
    'src/db/d.fixture.ts': lines(1),
    'src/db/d.gen.ts': lines(1),
    'src/db/fixtures/d.ts': lines(1),
    'src/kit/k.test.ts': lines(300),
    'src/a.gen.ts': lines(900),
    'src/capabilities/x/README.md': '.\n'.repeat(40),
    'sdk/README.md': `<!-- made by bin/check --write -->\n${'.\n'.repeat(50)}<!-- end of a -->\n`,
    'docs/a.md': '.'.repeat(200),
    'c.test.ts': `// c\ntest('${'x'.repeat(100)}', () => {})`,
    'b.ts': `// ${'é'.repeat(97)}`,
  })
  deepEqual(checkSizes(tree), [])
})

test('wide comments are wrapped, and text in a string is not', (t) => {
  const words = 'word '.repeat(25).trimEnd()
  const inString = `const a = \`\n * ${words}\n\`\n`
  const tree = madeTree(t, { 'a.ts': `// ${words}\n${inString}`, 'b.gen.ts': `// ${words}\n` })
  wrapTree(tree)
  const read = (file: string) => readFileSync(join(tree.root, file), 'utf8')
  const rest = 'word '.repeat(6).trimEnd()
  equal(read('a.ts'), `// ${'word '.repeat(19).trimEnd()}\n// ${rest}\n${inString}`)
  equal(read('b.gen.ts'), `// ${words}\n`)
})
