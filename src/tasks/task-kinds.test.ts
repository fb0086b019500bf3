// Decision 33 lists every kind of task that the source declares, and no other.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/decisions/0033-task-queue.md'), 'utf8')

test('decision 33 lists the kinds of tasks', () => {
  const declared = globSync('src/{capabilities,oauth}/**/*.ts', { cwd: root })
    .filter((file) => !/\.(test|fixture)\.ts$/.test(file))
    .flatMap((file) => [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /(?:taskKind|mailRequestJob)\(\{\s*kind: '(\w+)'/g,
      ),
    ])
    .map(([, kind = '']) => kind)
  const table = page.slice(page.indexOf('| task |'), page.indexOf('- **A lost lease'))
  const rows = table.split('\n').slice(2)
  const listed = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)])
  assert.ok(declared.length > 15)
  assert.deepEqual(listed.map(([, kind]) => kind).sort(), declared.sort())
})
