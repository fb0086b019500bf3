// The poll for tokens: each answer of the token endpoint, and the interval between two polls.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exitCodes, Failure } from '../failure.ts'
import { pollForTokens } from './device-log-in.ts'
import type { Answer } from './request.ts'

type Reply = string | 'tokens' | 'nothing'

async function poll(answers: Reply[], expires_in = 900) {
  const waits: number[] = []
  const body = await pollForTokens({
    interval: 5,
    expires_in,
    wait: async (ms) => waits.push(ms / 1000),
    poll: async () => answerOf(answers.shift()),
  })
  return { body, waits }
}

function answerOf(reply: Reply = 'authorization_pending'): Answer {
  if (reply === 'nothing') throw new Failure(exitCodes.unavailable, 'no answer')
  if (reply === 'busy') return { status: 503, body: {} }
  if (reply === 'tokens') return { status: 200, body: { access_token: 'a' } }
  return { status: 400, body: { error: reply } }
}

describe('the poll of the device flow', () => {
  it('waits the interval before each request', async () => {
    const { body, waits } = await poll(['authorization_pending', 'tokens'])
    assert.deepEqual([body.access_token, waits], ['a', [5, 5]])
  })

  it('slows down permanently when it is asked to', async () => {
    const { waits } = await poll(['slow_down', 'authorization_pending', 'slow_down', 'tokens'])
    assert.deepEqual(waits, [5, 10, 10, 15])
  })

  it('continues after a lost answer, and less often after one of a busy service', async () => {
    const { waits } = await poll(['nothing', 'busy', 'tokens'])
    assert.deepEqual(waits, [5, 10, 20])
  })

  for (const [error, words] of [
    ['access_denied', /The owner has denied/],
    ['expired_token', /code expired/],
    ['invalid_grant', /refused: invalid_grant/],
  ] as const)
    it(`ends at ${error}`, async () => {
      await assert.rejects(poll([error, 'tokens']), words)
    })

  it('ends when the code has expired, whatever the service answers', async () => {
    await assert.rejects(poll([], 12), /code expired/)
  })
})
