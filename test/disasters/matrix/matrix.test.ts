// Every step of a purchase and every fault of a registry, for each kind of order: the node dies,
// others take over, and the invariants hold. Pairwise; bin/disasters runs all combinations.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSetup } from '../support/disaster-setup.ts'
import { chanceOf } from '../support/seeded-random.ts'
import { coveringCases, plainCase, points } from './cases.ts'
import { type Report, runCases } from './matrix.ts'

const seed = Number(process.env.DISASTER_SEED ?? Date.now() % 1_000_000)
const setup = await startSetup()

test(`no cent and no domain is lost or doubled, wherever nodes die and whatever registries do (DISASTER_SEED=${seed})`, {
  timeout: 230_000,
}, async (t) => {
  const cases = coveringCases(chanceOf(seed))
  const report = await runCases(setup, cases, { width: 4 })
  t.diagnostic(`${report.runs} runs, ${report.kills} kills; ${report.steps.join(', ')}`)
  assertWell(report)
})

function assertWell(report: Report): void {
  assert.deepEqual(report.violations, [])
  assert.deepEqual(report.wrong, [])
  assert.deepEqual(report.missed, [])
  assert.equal(report.lost_cents, 0)
  assert.equal(report.double_effects, 0)
  assert.equal(report.parked, 0)
}

test('an auto-renewed year is paid once, wherever the node dies', async () => {
  const steps = ['before_hold', 'after_hold', 'after_answer', 'before_settle', 'after_settle']
  const other = await startSetup()
  const cases = points
    .filter((point) => steps.includes(point))
    .map((point, number) =>
      plainCase({
        number,
        command: 'renew',
        history: 'added',
        domain: `added-${number}.com`,
        point,
      }),
    )
  const report = await runCases(other, cases, { width: 3 })
  assertWell(report)
  assert.equal(report.kills, steps.length)
  assert.deepEqual(report.unpaid, [])
  const kinds = other.sandbox.effects().filter(({ registrar }) => registrar === 'registrar-a')
  assert.equal(kinds.filter(({ kind }) => kind === 'renew').length, 0)
  assert.equal(kinds.filter(({ kind }) => kind === 'autorenew').length, cases.length)
})
