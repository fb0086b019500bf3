// Exports that no other file imports are reported; imported ones, by any form of import, are not.
import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { checkExports } from './exports.ts'
import { madeTree } from './made.fixture.ts'

const unused = (key: string) => `${key}: exported, and no other file imports it`

test('reports an export and a re-export that no other file imports', (t) => {
  const tree = madeTree(t, {
    'src/kit/a.ts': 'export const one = 1\nexport type T = typeof one',
    'src/kit/index.ts': "export { one } from './a.ts'",
  })
  deepEqual(checkExports(tree), [unused('src/kit/a.ts T'), unused('src/kit/index.ts one')])
})

test('passes exports that are imported, by name, as a namespace or dynamically', (t) => {
  const tree = madeTree(t, {
    'src/kit/a.ts': 'export const one = 1\nexport type T = 1',
    'src/kit/b.ts': 'export const two = 2',
    'src/kit/c.ts': 'export const three = 3',
    'src/main.ts':
      "import { one as other, type T } from './kit/a.ts'\nimport * as b from './kit/b.ts'",
    'src/late.ts': "await import('./kit/c.ts')",
    'src/db/a.gen.ts': 'export type Generated = 1',
    'test/disasters/controls/a.ts': 'export const replaced = 1',
  })
  deepEqual(checkExports(tree), [])
})
