// Code that reads the environment, speaks SQL or asserts a type where it may not is told.
import { deepEqual, match } from 'node:assert/strict'
import { test } from 'node:test'
import { checkBounds } from './bounds.ts'
import { madeTree } from './made.fixture.ts'

const cases: readonly [name: string, file: string, text: string, complaint: RegExp][] = [
  ['process.env', 'src/db/a.ts', '// 1\nprocess.env.HOME', /a\.ts:2 reads the environment/],
  ["process['env']", 'src/db/a.ts', "process['env'].HOME", /reads the environment/],
  ['env of node:process', 'src/main.ts', "import { env } from 'node:process'", /environment/],
  ['env taken out of process', 'src/main.ts', 'const { env } = process', /reads the environment/],
  ['a statement', 'src/ledger/a.ts', "statement('x', 'select 1')", /declares a statement/],
  ['as', 'src/db/a.ts', 'const a = b as string', /asserts a type/],
  ['as unknown as', 'test/a.ts', 'const a = b as unknown as A.B', /asserts a type/],
  ['angle brackets', 'sandbox/a.test.ts', 'const a = <string>b', /asserts a type/],
]
for (const [name, file, text, complaint] of cases)
  test(`out of bounds: ${name}`, (t) => {
    match(checkBounds(madeTree(t, { [file]: text })).join('\n'), complaint)
  })

test('the files that may, tests, and what only looks like it pass', (t) => {
  const tree = madeTree(t, {
    'src/config.ts': 'process.env',
    'src/epp/a.test.ts': 'process.env',
    'sandbox/main.ts': 'process.env',
    'src/main.ts': "import { exit } from 'node:process'; process.argv",
    'src/ledger/store.ts': "statement('x', 'select 1')",
    'src/jobs/claim.sql.ts': "statement('x', 'select 1')",
    'src/kit/json.ts': 'const a = b as string',
    'src/db/a.ts': `
      import { a as b } from './b.ts'
      const words = ['b as c', "process.env"] as const // as it is
      type Keys<T> = { [K in keyof T as \`x\${string & K}\`]: T[K] }
      const c = { b } satisfies Keys<B>`,
  })
  deepEqual(checkBounds(tree), [])
})
