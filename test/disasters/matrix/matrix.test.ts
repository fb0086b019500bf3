// Every step of a purchase and every fault of a registry, for each kind of order: the node dies,
// others take over, and the invariants hold. A sample; bin/disasters runs all combinations.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSetup } from '../support/disaster-setup.ts'
import { chanceOf } from '../support/seeded-random.ts'
import { type Case, coveringCases, plainCase, points } from './cases.ts'
import { runCases } from './matrix.ts'

const seed = Number(process.env.DISASTER_SEED ?? Date.now() % 1_000_000)
const setup = await startSetup()
const covering = coveringCases(chanceOf(seed))
/** The registry has auto-renewed the name, and that year is bought. */
const added: Case[] = points
  .filter((point) =>
    ['before_hold', 'after_hold', 'after_answer', 'before_settle', 'after_settle'].includes(point),
  )
  .map((point, i) =>
    plainCase({
      number: covering.length + i,
      command: 'renew',
      history: 'added',
      domain: `added-${i}.com`,
      point,
    }),
  )
const reported = runCases(setup, [...covering, ...added], { width: 4 })

test(`no cent and no domain is lost or doubled, wherever nodes die and whatever registries do (DISASTER_SEED=${seed})`, {
  timeout: 230_000,
}, async (t) => {
  const report = await reported
  t.diagnostic(`${report.runs} runs, ${report.kills} kills; ${report.steps.join(', ')}`)
  assert.deepEqual(report.violations, [])
  assert.deepEqual(report.wrong, [])
  assert.deepEqual(report.missed, [])
  assert.equal(report.lost_cents, 0)
  assert.equal(report.double_effects, 0)
  assert.equal(report.parked, 0)
})

test('an auto-renewed year is paid once, wherever the node dies', async () => {
  const { unpaid } = await reported
  const names = added.map(({ domain }) => domain)
  assert.deepEqual(
    unpaid.filter((line) => names.some((name) => line.includes(name))),
    [],
  )
  const kinds = setup.sandbox
    .effects()
    .filter(({ registrar, domain }) => registrar === 'registrar-a' && names.includes(domain))
    .map(({ kind }) => kind)
  assert.equal(kinds.filter((kind) => kind === 'renew').length, 0)
  assert.equal(kinds.filter((kind) => kind === 'autorenew').length, names.length)
})
