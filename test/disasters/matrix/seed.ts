// One seed of the full matrix as a process: run.ts starts it and reads its progress.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSetup } from '../support/disaster-setup.ts'
import { chanceOf } from '../support/seeded-random.ts'
import { allCases } from './cases.ts'
import { type Report, runCases } from './matrix.ts'

export type News =
  | { seed: number; done: number; of: number }
  | { seed: number; report: Report }
  | { seed: number; trouble: string }

const [seed = 0, width = 5] = process.argv.slice(2).map(Number)
const notify = (news: News) => process.send?.(news)
const setup = await startSetup()

test('one seed', async () => {
  try {
    const progress = (done: number, of: number) => notify({ seed, done, of })
    const report = await runCases(setup, allCases(chanceOf(seed)), { width, progress })
    notify({ seed, report })
  } catch (error) {
    notify({ seed, trouble: String(error instanceof Error ? error.stack : error) })
    assert.fail(String(error))
  }
})
