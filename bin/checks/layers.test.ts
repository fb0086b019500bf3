// Imports that go up, sideways, in a cycle or out of the tree are refused; those that go down are
// not.
import { deepEqual, match } from 'node:assert/strict'
import { test } from 'node:test'
import { checkLayers } from './layers.ts'
import { madeTree } from './made.fixture.ts'

const cases: readonly [name: string, file: string, text: string, complaint: RegExp][] = [
  ['upward', 'src/kit/a.ts', "import { b } from '../db/b.ts'", /a\.ts:1 .* upward, from kit/],
  ['upward for a type', 'src/ledger/a.ts', "import type { A } from '../app.ts'", /upward/],
  ['upward in an inline type', 'src/db/a.ts', "let a: import('../app.ts').A", /upward/],
  ['upward when run', 'src/db/a.ts', "await import('../main.ts')", /upward/],
  ['upward by passing on', 'src/db/a.ts', "export { a } from '../tasks/a.ts'", /upward/],
  ['upward by passing all on', 'src/db/a.ts', "export * from '../tasks/a.ts'", /upward/],
  ['on its line', 'src/kit/a.ts', "// 1\n// 2\nimport '../db/b.ts'", /a\.ts:3 /],
  ['sideways in the core', 'src/tasks/a.ts', "import '../ledger/a.ts'", /sideways.*not declared/],
  ['sideways among adapters', 'src/adapters/mail/a.ts', "import '../../epp/a.ts'", /sideways/],
  [
    'against a declared edge',
    'src/capabilities/pricing/a.ts',
    "import '../domains/index.ts'",
    /sideways.*capabilities\/pricing -> capabilities\/domains/,
  ],
  [
    'past the index of a module',
    'src/capabilities/domains/a.ts',
    "import '../pricing/store.ts'",
    /imported by its index/,
  ],
  ['from src to the sandbox', 'src/main.ts', "import '../sandbox/a.ts'", /nothing of sandbox/],
  ['from the sandbox to src', 'sandbox/a.ts', "import '../src/kit/a.ts'", /nothing of src/],
  ['from a test of the sdk to src', 'sdk/a.test.ts', "import '../src/app.ts'", /nothing of src/],
  ['to a fixture', 'src/epp/a.ts', "import './fixtures/b.ts'", /only tests/],
]
for (const [name, file, text, complaint] of cases)
  test(`refuses an import: ${name}`, (t) => {
    match(checkLayers(madeTree(t, { [file]: text })).join('\n'), complaint)
  })

test('reports a cycle once, with its path, also of types', (t) => {
  const tree = madeTree(t, {
    'src/kit/a.ts': "import './b.ts'",
    'src/kit/b.ts': "import type { C } from './c.ts'",
    'src/kit/c.ts': "import './a.ts'",
  })
  deepEqual(checkLayers(tree), [
    'circular: src/kit/a.ts -> src/kit/b.ts -> src/kit/c.ts -> src/kit/a.ts',
  ])
})

test('reports a file that cannot be parsed, and the others', (t) => {
  const tree = madeTree(t, { 'src/kit/a.ts': 'const', 'src/kit/b.ts': "import '../db/b.ts'" })
  match(checkLayers(tree).join('\n'), /a\.ts cannot be parsed[\s\S]*b\.ts:1 .*upward/)
})

test('passes imports that go down, along a declared edge, or from a test in src', (t) => {
  const tree = madeTree(t, {
    'src/main.ts': "import './compose.ts'",
    'src/compose.ts': "import './capabilities/domains/store.ts'; import pg from 'pg'",
    'src/app.ts': "import './db/a.ts'; import './config/config.ts'",
    'src/capabilities/domains/store.ts': "import '../pricing/index.ts'; import '../../app.ts'",
    'src/adapters/registry/epp.ts': "import '../../epp/pool.ts'; const a = \"from '../../app.ts'\"",
    'src/epp/pool.test.ts': "import '../../sandbox/a.ts'; import '../main.ts'",
  })
  deepEqual(checkLayers(tree), [])
})
