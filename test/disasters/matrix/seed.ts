// One seed of the full matrix, in a process of its own: run.ts starts it and hears of its progress.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setScene } from '../support/disaster-scene.ts'
import { chanceOf } from '../support/seeded-random.ts'
import { allCases } from './cases.ts'
import { type Report, runCases } from './matrix.ts'

export type News =
  | { seed: number; done: number; of: number }
  | { seed: number; report: Report }
  | { seed: number; trouble: string }

const [seed = 0, width = 5] = process.argv.slice(2).map(Number)
const tell = (news: News) => process.send?.(news)
const scene = await setScene()

test('one seed', async () => {
  try {
    const progress = (done: number, of: number) => tell({ seed, done, of })
    const report = await runCases(scene, allCases(chanceOf(seed)), { width, progress })
    tell({ seed, report })
  } catch (error) {
    tell({ seed, trouble: String(error instanceof Error ? error.stack : error) })
    assert.fail(String(error))
  }
})
