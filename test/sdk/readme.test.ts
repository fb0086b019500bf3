// The README of the client names each of its methods, and no other.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import * as generated from '../../sdk/src/sdk.gen.ts'
import { operations } from '../../src/catalog.ts'
import { withMethods } from '../../src/surfaces/documents/sdk-readme.ts'

const readme = readFileSync(join(import.meta.dirname, '../../sdk/README.md'), 'utf8')

it('lists every method once, with what it does', () => {
  const listed = [...readme.matchAll(/^- `(\w+)`: [A-Z].*\.$/gm)].map(([, name = '']) => name)
  assert.deepEqual(listed.toSorted(), Object.keys(generated).toSorted())
})

it('is as the catalog makes it, and its own text stays', () => {
  assert.equal(withMethods(readme, operations), readme)
  const less = withMethods(readme, operations.slice(0, 1))
  assert.ok(less.length < readme.length && less.includes('**Retries**'))
  assert.throws(() => withMethods('# Without', operations), /no markers/)
})
