// The statements of a node while there is nothing to do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startService } from '../support/service.ts'

const most_a_second = 12
const seconds = 6
/** Each job runs once at the start. */
const start_ms = 5_000

test('an idle node runs few statements', async (t) => {
  await startService()
  await sleep(start_ms)
  // Also those of a transaction, one by one.
  const { mock } = t.mock.method(pg.Client.prototype, 'query')
  const began = performance.now()
  await sleep(seconds * 1_000)
  const a_second = (1_000 * mock.callCount()) / (performance.now() - began)
  assert.ok(a_second > 1, `${a_second} statements a second: they were not counted`)
  assert.ok(a_second <= most_a_second, `${a_second} statements a second`)
})
