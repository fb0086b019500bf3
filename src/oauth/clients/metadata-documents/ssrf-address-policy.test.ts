// Resolution of the host of a URL that a client named.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolvePublic } from './ssrf-address-policy.ts'

test('a name without a response has no address, and the wait can be aborted', async () => {
  const aborted = AbortSignal.timeout(50)
  const started = performance.now()
  assert.deepEqual(await resolvePublic('name.invalid', aborted), [])
  assert.ok(performance.now() - started < 2_000)
})
