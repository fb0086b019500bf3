// A benchmark writes its own rows into the README, and no others.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { withResults } from './readme-rows.ts'

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

it('replaces the last cell of each of its rows', () => {
  const text = withResults(readme, 'check', ['1 / 2 names/s = **0.50**', '$& and 3'])
  const [before, after] = [readme, text].map((one) => one.split('\n'))
  const changed = after?.flatMap((line, at) => (line === before?.[at] ? [] : [line])) ?? []
  assert.equal(changed.length, 2)
  assert.match(
    changed[0] ?? '',
    /^\| `check` \| 200-name .* \| 0\.9 \| 1 \/ 2 names\/s = \*\*0\.50\*\* \|$/,
  )
  assert.match(changed[1] ?? '', /^\| \| the same; .* \| \$& and 3 \|$/)
  assert.equal(withResults(text, 'check', ['1 / 2 names/s = **0.50**', '$& and 3']), text)
})

it('refuses a benchmark without a row, and another number of results', () => {
  assert.throws(() => withResults(readme, 'chec', ['1']), /no row of chec/)
  assert.throws(() => withResults(readme, 'account', ['1', '2']), /2 results, and 1 rows/)
  assert.throws(() => withResults('| `account` | a |', 'account', ['1']), /no row/)
})
