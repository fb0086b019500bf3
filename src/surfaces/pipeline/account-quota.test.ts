// The quota of an account: keys are free to make, and eight of them ask for four times as much as
// one, not eight times (decision 86).
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Body, testPipeline } from '../../../test/support/test-pipeline.ts'
import { type Operation, scopes } from '../../app.ts'
import { operations } from '../../capabilities/domains/index.ts'

const settings = { REQUESTS_PER_MINUTE: '60', NAMES_PER_MINUTE: '200' }
const checks: Operation[] = operations.filter(({ at }) => at === 'POST /v1/domains/check')
const { call, customer, key } = await testPipeline({ settings, operations: checks })

/** Makes eight keys of one account. */
const eightKeys = async (): Promise<string[]> => {
  const { id } = await customer()
  return Promise.all(Array.from({ length: 8 }, () => key(id, scopes)))
}
type Headers = Record<string, string>
const refusedOf = (answers: readonly { status: number }[]) =>
  answers.filter(({ status }) => status === 429).length

/** Again where a window of the quotas, which is a minute, ended meanwhile. */
async function inOneWindow(
  work: () => Promise<{ status: number; body: Body; headers: Headers }[]>,
) {
  const minute = () => Math.floor(Date.now() / 60_000)
  for (;;) {
    const began = minute()
    const answers = await work()
    if (minute() === began) return answers
  }
}

describe('the quota of an account', () => {
  it('allows its keys four times the requests of one', async () => {
    const answers = await inOneWindow(async () => {
      const given = []
      for (const token of await eightKeys())
        for (let n = 0; n < 60; n += 1) given.push(await call('GET /v1/account', { token }))
      return given
    })
    assert.equal(refusedOf(answers), 8 * 60 - 4 * 60)
    const last = answers.at(-1)
    assert.equal(last?.body.code, 'rate_limited')
    assert.match(String(last?.headers['RateLimit-Policy']), /"requests-of-account";q=240;w=60/)
    assert.ok(Number(last?.headers['Retry-After']) > 0)
  })

  it('is not spent by a key that has used up its own, and is of one account', async () => {
    const [busy = '', other = ''] = await eightKeys()
    for (let n = 0; n < 100; n += 1) await call('GET /v1/account', { token: busy })
    const { status, headers } = await call('GET /v1/account', { token: other })
    assert.equal(status, 200)
    assert.match(String(headers['RateLimit-Policy']), /^"requests";q=60;w=60$/)
    const [elsewhere = ''] = await eightKeys()
    assert.equal((await call('GET /v1/account', { token: elsewhere })).status, 200)
  })

  it('allows its keys four times the names of one', async () => {
    const domains = Array.from({ length: 200 }, (_, n) => `asked-${n}.com`)
    const answers = await inOneWindow(async () => {
      const keys = await eightKeys()
      const asked = { body: { domains } }
      return Promise.all(keys.map((token) => call('POST /v1/domains/check', { token, ...asked })))
    })
    assert.equal(refusedOf(answers), 4)
    const refused = answers.find(({ status }) => status === 429)
    assert.match(String(refused?.body.detail), /800 names-of-account/)
  })
})
