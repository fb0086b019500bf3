// Tests of every kind of nesting, one of which fails by an error outside of its promise.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

const seen: string[] = []

describe('outer', () => {
  beforeEach(() => {
    seen.push('before')
  })
  describe('inner', { concurrency: true }, () => {
    for (const name of ['one', 'other']) test(name, () => sleep(20))
  })
  test('with a subtest', async (t) => {
    await sleep(1)
    await t.test('its subtest', async () => {
      await sleep(1)
      test('declared by the function of the module', () => undefined)
    })
  })
  test('with a callback that throws later', async () => {
    setTimeout(() => {
      throw new Error('Thrown later')
    }, 5)
    await sleep(50)
  })
  test('that follows', (t, done) => {
    t.after(() => seen.push('after'))
    setImmediate(done)
  })
})
await sleep(5)
test('after an await of the module', () => assert.ok(seen.length > 0))
after(() => assert.ok(seen.includes('after')))
