// Every step of a purchase and every fault of a registry, with each thing that is bought: the node
// dies, others take over, and the laws hold. Pairwise; bin/disasters runs all of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coveringCases } from './cases.ts'
import { chanceOf } from './chance.ts'
import { runCases } from './matrix.ts'
import { setScene } from './scene.ts'

const seed = Number(process.env.DISASTER_SEED ?? Date.now() % 1_000_000)
const scene = await setScene()

test(`no cent and no domain is lost or doubled, wherever nodes die and whatever registries do (DISASTER_SEED=${seed})`, {
  timeout: 230_000,
}, async (t) => {
  const cases = coveringCases(chanceOf(seed))
  const report = await runCases(scene, cases, { width: 4 })
  t.diagnostic(`${report.runs} runs, ${report.kills} kills; ${report.steps.join(', ')}`)
  assert.deepEqual(report.violations, [])
  assert.deepEqual(report.wrong, [])
  assert.deepEqual(report.missed, [])
  assert.equal(report.lost_cents, 0)
  assert.equal(report.double_effects, 0)
  assert.equal(report.parked, 0)
})
