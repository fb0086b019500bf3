// The exit code for each kind of refusal, and the message of a refusal.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { failureOf } from './failure.ts'

describe('exit codes', () => {
  for (const [status, code, exit] of [
    [409, 'domain_taken', 1],
    [401, 'unauthenticated', 3],
    [403, 'approval_required', 4],
    [402, 'insufficient_funds', 5],
    [429, 'rate_limited', 6],
    [503, 'registry_unreachable', 6],
  ] as const)
    it(`is ${exit} for ${code}`, () => assert.equal(failureOf(status, { code }).exit, exit))

  it('is 6 for an answer that is no problem document', () =>
    assert.equal(failureOf(502, null).exit, 6))

  it('names the next step and the request id', () => {
    const failure = failureOf(403, {
      title: 'Approval required',
      code: 'approval_required',
      detail: 'Above the limit.',
      request_id: 'r1',
      next_action: { type: 'ask_owner', hint: 'Ask the owner.', url: 'http://127.0.0.1/a' },
    })
    assert.equal(failure.message, 'Above the limit.\napproval_required, request r1')
    assert.equal(failure.next, 'Ask the owner. http://127.0.0.1/a')
  })
})
