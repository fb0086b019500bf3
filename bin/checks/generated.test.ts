// A generated file that is out of date is reported and left alone; renewing writes it.
import { deepEqual, equal, match } from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { written } from '../../src/surfaces/documents/write-docs.ts'
import { checkGenerated, type Generator, generators, renewGenerated } from './generated.ts'
import { madeTree } from './made.fixture.ts'

const list: Generator[] = [
  { name: 'the generator', command: ['make.ts'], files: ['made.txt', 'more.txt'] },
]
const generator = `// Makes two files.
import { writeFileSync } from 'node:fs'
writeFileSync(new URL('made.txt', import.meta.url), 'new')
writeFileSync(new URL('more.txt', import.meta.url), 'more')
`

test('reports stale and missing files, and writes nothing', (t) => {
  const tree = madeTree(t, { 'make.ts': generator, 'made.txt': 'old' })
  mkdirSync(join(tree.root, 'node_modules'))
  deepEqual(checkGenerated(tree, list), [
    'made.txt is not what the generator makes; run bin/check --write',
    'more.txt is not what the generator makes; run bin/check --write',
  ])
  equal(readFileSync(join(tree.root, 'made.txt'), 'utf8'), 'old')
})

test('renewing writes them, and then they pass', (t) => {
  const tree = madeTree(t, { 'make.ts': generator, 'made.txt': 'old' })
  deepEqual(renewGenerated(tree, list), [])
  equal(readFileSync(join(tree.root, 'made.txt'), 'utf8'), 'new')
  deepEqual(checkGenerated(tree, list), [])
})

test('reports a failing generator with its output', (t) => {
  const tree = madeTree(t, { 'make.ts': "throw new Error('no database')" })
  match(checkGenerated(tree, list).join('\n'), /the generator failed: .*no database/s)
})

test('every file that write-docs.ts writes is compared', () => {
  const one = generators.find(({ name }) => name === 'src/surfaces/documents/write-docs.ts')
  deepEqual(one?.files.toSorted(), Object.keys(written).toSorted())
})
