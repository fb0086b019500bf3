// Splitting of test files into shards: complete, even, and by a seed in another order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shardsOf, shuffled } from './split.ts'

const split = {
  durations: new Map([
    ['long', 60_000],
    ['short', 1000],
  ]),
  processes: 2,
  alone: (file: string) => file === 'alone',
  keepOrder: false,
}

test('every file is in one shard, and an isolated one is alone in it', () => {
  const files = ['alone', 'long', ...Array.from({ length: 200 }, (_one, n) => `file ${n}`)]
  const shards = shardsOf(files, split)
  assert.deepEqual(shards.flat().sort(), files.toSorted())
  assert.ok(shards.some((shard) => shard.length === 1 && shard[0] === 'alone'))
})

test('the longest shard starts first, and shards of shared files are about as long', () => {
  const files = ['short', 'long', ...Array.from({ length: 38 }, (_one, n) => `file ${n}`)]
  const shards = shardsOf(files, split)
  const ms = shards.map((shard) =>
    shard.reduce((sum, file) => sum + (split.durations.get(file) ?? 3000), 0),
  )
  assert.deepEqual(
    ms,
    ms.toSorted((one, other) => other - one),
  )
  assert.ok(Math.max(...ms) - Math.min(...ms) <= 30_000, String(ms))
})

test('an isolated file starts first, and the shard that follows it is shorter by as much', () => {
  const alone = (file: string) => file === 'long'
  const files = ['long', ...Array.from({ length: 100 }, (_one, n) => `file ${n}`)]
  const [first, ...shards] = shardsOf(files, { ...split, alone })
  assert.deepEqual(first, ['long'])
  assert.deepEqual(
    shards.map(({ length }) => length),
    [60, 40],
  )
})

test('isolated files alone need no shard beside them', () => {
  assert.deepEqual(shardsOf(['short', 'long'], { ...split, alone: () => true }), [
    ['long'],
    ['short'],
  ])
})

test('a seed gives the same order each time, and another seed another', () => {
  const files = Array.from({ length: 20 }, (_one, n) => `file ${n}`)
  assert.deepEqual(shuffled(files, '1'), shuffled(files, '1'))
  assert.notDeepEqual(shuffled(files, '1'), shuffled(files, '2'))
  assert.deepEqual(shuffled(files, '1').toSorted(), files.toSorted())
})

test('makes no shard without a file', () => {
  assert.deepEqual(shardsOf([], split), [])
})
