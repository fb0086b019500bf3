// Pages of a list, and the filter of API keys by use.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { page_size, pageOf } from '../src/lib/list-pages.ts'
import { isUsedAs, keyUses } from '../src/pages/api-keys/key-use.ts'

const all = Array.from({ length: 2 * page_size + 5 }, (_, at) => at)

it('has each entry on one page, and the nearest page for a number that is none', () => {
  const pages = ['1', '2', '3'].flatMap((asked) => pageOf(all, asked).items)
  assert.deepEqual(pages, all)
  const { first, last, count } = pageOf(all, '3')
  assert.deepEqual([first, last, count], [2 * page_size + 1, all.length, 3])
  for (const [asked, number] of [
    ['', 1],
    ['0', 1],
    ['-1', 1],
    ['99', 3],
    ['x', 1],
  ] as const)
    assert.equal(pageOf(all, asked).number, number, asked)
  assert.deepEqual(pageOf([], '2').items, [])
})

it('distinguishes keys by their use', () => {
  const now = Date.parse('2027-06-01T00:00:00Z')
  const used = (days: number) => ({
    last_used_at: new Date(now - days * 86_400_000).toISOString(),
  })
  const keys = [used(1), used(60), used(120), { last_used_at: null }]
  const shown = (use: string) => keys.map((key) => isUsedAs(key, use, now))
  assert.deepEqual(keyUses.map(shown), [
    [true, false, false, false],
    [false, false, true, false],
    [false, false, false, true],
  ])
  assert.deepEqual(shown(''), [true, true, true, true])
})
