// Code that reads the environment, declares SQL or asserts a type outside its bounds is reported.
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
  ['the time', 'src/db/a.ts', '// 1\nconst at = new Date()', /a\.ts:2 reads time or chance/],
  ['the time as text', 'src/kit/a.ts', 'const at = Date()', /reads time or chance/],
  ['Date.now', 'src/capabilities/a/b.ts', 'const at = Date.now()', /reads time or chance/],
  ['Date.now as a value', 'src/epp/a.ts', 'open({ now: Date.now })', /reads time or chance/],
  ["Date['now']", 'src/epp/a.ts', "Date['now']()", /reads time or chance/],
  ['now out of Date', 'src/epp/a.ts', 'const { now } = Date', /reads time or chance/],
  ['Math.random', 'src/tasks/a.ts', 'const x = Math.random()', /reads time or chance/],
  ['performance.now', 'src/slots/a.ts', 'performance.now()', /reads time or chance/],
  ['process.hrtime', 'src/slots/a.ts', 'process.hrtime.bigint()', /reads time or chance/],
  [
    "a module's own clock",
    'src/capabilities/a/b.ts',
    "import { type Clock, systemClock } from '../../kit/clock.ts'",
    /brings its own time or chance/,
  ],
  [
    "a module's own chance",
    'src/capabilities/a/b.ts',
    "import { systemChance as chance } from '../../kit/clock.ts'",
    /brings its own time or chance/,
  ],
  [
    'an outage',
    'src/oauth/a.ts',
    'if (error instanceof DatabaseUnavailable) throw error',
    /a\.ts:1 distinguishes errors of the database/,
  ],
  [
    'an unknown commit',
    'src/capabilities/a/b.ts',
    'const lost = error instanceof CommitUnknown',
    /distinguishes errors of the database/,
  ],
  ['as', 'src/db/a.ts', 'const a = b as string', /asserts a type/],
  ['as unknown as', 'test/a.ts', 'const a = b as unknown as A.B', /asserts a type/],
  ['a variable set', 'test/a.test.ts', "process.env.HOME = '/'", /writes process\.env/],
  ['variables set', 'src/a.test.ts', 'Object.assign(process.env, {})', /writes process\.env/],
  ['a variable deleted', 'src/a.fixture.ts', 'delete process.env.HOME', /writes process\.env/],
  ['angle brackets', 'sandbox/a.test.ts', 'const a = <string>b', /asserts a type/],
]
for (const [name, file, text, complaint] of cases)
  test(`out of bounds: ${name}`, (t) => {
    match(checkBounds(madeTree(t, { [file]: text })).join('\n'), complaint)
  })

test('the files that may, tests, and what only looks like it pass', (t) => {
  const tree = madeTree(t, {
    'src/config/config.ts': 'process.env',
    'src/epp/a.test.ts': 'process.env',
    'sandbox/main.ts': 'process.env',
    'src/main.ts': "import { exit } from 'node:process'; process.argv",
    'src/ledger/ledger.sql.ts': "statement('x', 'select 1')",
    'src/tasks/claim.sql.ts': "statement('x', 'select 1')",
    'src/kit/schema.ts': 'const a = b as string',
    'src/kit/clock.ts': 'const at = new Date(); performance.now(); Math.random()',
    'src/tasks/a.test.ts': 'const at = Date.now(), home = process.env.HOME',
    'src/tasks/a.process.test.ts': "process.env.HOME = '/'",
    'src/tasks/b.ts': `
      import { systemClock } from '../kit/clock.ts'
      const at = new Date(0), most = Math.max(1, Date.parse('2026-01-01')), now = app.clock.now()`,
    'src/errors/a.ts': 'error instanceof CommitUnknown',
    'src/oauth/a.ts': 'new DatabaseUnavailable(""); error instanceof Error',
    'src/oauth/a.test.ts': 'error instanceof CommitUnknown',
    'src/capabilities/a/c.ts': "import type { Clock } from '../../kit/clock.ts'",
    'src/db/a.ts': `
      import { a as b } from './b.ts'
      const words = ['b as c', "process.env"] as const // as it is
      type Keys<T> = { [K in keyof T as \`x\${string & K}\`]: T[K] }
      const c = { b } satisfies Keys<B>`,
  })
  deepEqual(checkBounds(tree), [])
})
