// The statements of a node while there is nothing to do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startService } from '../support/service.ts'

const most_a_second = 12
const seconds = 6
/** Each job runs once at the start, later beside other tests: the quietest window counts. */
const windows = 4
const start_ms = 3_000

test('an idle node runs few statements', async (t) => {
  await startService()
  await sleep(start_ms)
  // This also counts the statements of a transaction, one by one.
  const { mock } = t.mock.method(pg.Client.prototype, 'query')
  const rates: number[] = []
  while (rates.length < windows && !rates.some((rate) => rate <= most_a_second)) {
    mock.resetCalls()
    const began = performance.now()
    await sleep(seconds * 1_000)
    rates.push((1_000 * mock.callCount()) / (performance.now() - began))
  }
  const least = Math.min(...rates)
  assert.ok(least > 1, `${rates} statements a second: they were not counted`)
  assert.ok(least <= most_a_second, `${rates} statements a second`)
})
