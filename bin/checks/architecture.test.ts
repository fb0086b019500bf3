// A table of layers in ARCHITECTURE.md that differs from the enforced layers is reported.
import { deepEqual } from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { checkArchitecture } from './architecture.ts'
import { madeTree } from './made.fixture.ts'

const declared = {
  layers: [
    { name: 'kit', modules: ['kit'] },
    { name: 'adapters', modules: ['db', 'adapters/*'] },
    { name: 'capabilities', modules: ['capabilities/*', 'oauth'] },
    { name: 'interface', modules: ['*'] },
  ],
  sideways: [
    ['adapters/a', 'db'],
    ['adapters/b', 'adapters/a'],
    ['oauth', 'capabilities/a'],
  ],
} as const

const rows = [
  '| 3 interface | `main.ts` `start` | everything below |',
  '| 2 capabilities | `capabilities/*` `oauth` | layers 1 and 0, and declared edges |',
  '| 1 adapters | `db` `adapters/*` | 0; `adapters/a` -> `db`, `adapters/b` -> `adapters/a` |',
  '| 0 kit | `kit` | nothing |',
]

/** The complaints about the table with one text in place of another. */
function complaintsWith(t: TestContext, text = '', instead = ''): string[] {
  const table = ['| layer | modules | may import |', '|---|---|---|', ...rows].join('\n')
  const tree = madeTree(t, {
    'ARCHITECTURE.md': `# A\n\n| a |\n|---|\n| b |\n\n${table.replace(text, instead)}\n\nText.\n`,
    'src/main.ts': '',
    'src/main.test.ts': '',
    'src/start/a.ts': '',
    'src/kit/a.ts': '',
    'src/capabilities/a/b.ts': '',
    'src/adapters/a/b.ts': '',
  })
  return checkArchitecture(tree, declared)
}

test('passes a table that shows the enforced layers', (t) => {
  deepEqual(complaintsWith(t), [])
})

const layers = '3 interface, 2 capabilities, 1 adapters, 0 kit'
const cases: readonly [name: string, text: string, instead: string, complaints: string[]][] = [
  ['a missing module', '`db` ', '', ['lacks db in layer 1 adapters']],
  ['a missing module of the top', ' `start`', '', ['lacks start in layer 3 interface']],
  [
    'an unknown module',
    '`start`',
    '`start` `gone`',
    ['has gone in layer 3 interface, and layers.ts does not'],
  ],
  [
    'a module in another layer',
    '`db` `adapters/*` | 0;',
    '`oauth` `db` `adapters/*` |',
    ['has oauth in layer 1 adapters, and layers.ts does not'],
  ],
  [
    'a missing edge',
    ', `adapters/b` -> `adapters/a`',
    '',
    ['lacks adapters/b -> adapters/a in layer 1 adapters'],
  ],
  [
    'an edge of no declaration',
    '`adapters/a` -> `db`',
    '`db` -> `adapters/a`, `adapters/a` -> `db`',
    ['has db -> adapters/a in layer 1 adapters, and layers.ts does not'],
  ],
  [
    'another number',
    '3 interface',
    '4 interface',
    [`has the layers ${layers.replace('3', '4')}, and layers.ts ${layers}`],
  ],
  ['no table', '| layer |', '| l |', [`has the layers , and layers.ts ${layers}`]],
]
for (const [name, text, instead, complaints] of cases)
  test(`reports ${name}`, (t) => {
    deepEqual(
      complaintsWith(t, text, instead),
      complaints.map((words) => `ARCHITECTURE.md ${words}`),
    )
  })
