// Bulk requests: a request that waits for a rate limit is given up with the dialog that asked for
// it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runEach } from '../src/lib/domains/run-each.ts'

test('a renewal that met a rate limit is not paid for after its dialog was closed', async () => {
  const closing = new AbortController()
  const sent: string[] = []
  const results: string[] = []
  const run = runEach({
    items: ['one.com'],
    request: async (item) => {
      sent.push(item)
      if (sent.length === 1) throw new Error('Too many requests.')
      return item
    },
    onResult: (_item, { state }) => results.push(state),
    signal: closing.signal,
    waitOf: () => 1,
  })
  await sleep(0)
  assert.deepEqual(sent, ['one.com'])
  closing.abort()
  await run
  assert.deepEqual(sent, ['one.com'])
  assert.deepEqual(results, ['running', 'failed'])
})
