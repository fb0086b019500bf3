// Retries of failed reads, as the problem itself allows them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRetryable } from '../src/lib/retries.ts'

const failure = (status: number, code: string, facts: Readonly<Record<string, unknown>> = {}) => ({
  status,
  code,
  facts,
})

test('without an answer of the API, or where the answer says so', () => {
  assert.ok(isRetryable(failure(0, 'unreachable')))
  assert.ok(isRetryable(failure(502, 'unreachable')), 'the answer of a proxy')
  assert.ok(isRetryable(failure(503, 'database_unavailable', { retryable: true })))
  assert.ok(isRetryable(failure(409, 'audit_log_unsealed', { retryable: true })))
})

test('not when it is refused, limited, or not configured', () => {
  assert.ok(!isRetryable(failure(404, 'domain_not_found', { retryable: false })))
  assert.ok(!isRetryable(failure(503, 'not_configured', { retryable: false })))
  assert.ok(!isRetryable(failure(429, 'rate_limited', { retryable: true })))
  assert.ok(!isRetryable(failure(422, 'invalid')))
  assert.ok(!isRetryable(failure(0, 'no_ticket')), 'made by the page itself')
})
