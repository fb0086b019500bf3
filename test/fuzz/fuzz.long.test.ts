// Random requests as each kind of caller: a sample by default; `bin/fuzz` sends the number
// that is given.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support/service.ts'
import { callers } from './callers.ts'
import { type Report, runCampaign } from './campaign.ts'

const registrar = await startService()
const { FUZZ_REQUESTS = '120', FUZZ_SEED, FUZZ_CALLERS = callers.join(',') } = process.env
// The sample is different each day.
const seed = Number(FUZZ_SEED ?? Math.floor(Date.now() / 86_400_000))
const chosen = callers.filter((caller) => FUZZ_CALLERS.split(',').includes(caller))

test('callers of unknown kinds are refused', () => {
  assert.deepEqual(
    chosen,
    callers.filter((caller) => FUZZ_CALLERS.includes(caller)),
  )
  assert.ok(chosen.length > 0, FUZZ_CALLERS)
})

for (const caller of chosen)
  test(`every answer to random requests of ${caller} is as documented`, async () => {
    const campaign = { caller, requests: Number(FUZZ_REQUESTS), seed }
    const report = await runCampaign(registrar, campaign, saying(caller))
    if (FUZZ_SEED !== undefined) process.stdout.write(`${lineOf(report)}\n`)
    const found = report.findings.map(
      ({ what, times, example }) => `${times}x ${what}\n    ${example}`,
    )
    assert.deepEqual(found, [], `seed ${seed}`)
    assert.ok((report.statuses['200'] ?? 0) > 0, 'some requests succeed')
  })

/** A line each 10,000 requests. */
function saying(caller: string): (sent: number) => void {
  let reported = 0
  return (sent) => {
    if (Math.floor(sent / 10_000) === reported) return
    reported = Math.floor(sent / 10_000)
    process.stdout.write(`${caller}: ${sent} requests\n`)
  }
}

function lineOf(report: Report): string {
  const { caller, requests, seconds, statuses, called, succeeded, always_refused, findings } =
    report
  const shown = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`)
  return (
    `${caller}: ${requests} requests in ${Math.round(seconds)} s, ${findings.length} findings; ` +
    `${called} operations and tools called, ${succeeded} with success; ${shown.join(', ')}` +
    `\n  always refused: ${always_refused.join(', ')}`
  )
}
