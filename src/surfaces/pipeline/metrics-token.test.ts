// The token of a metrics scraper: the headers that carry it, and that it opens nothing else.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testPipeline } from '../../../test/support/test-pipeline.ts'
import { readSettings, SettingError } from '../../config/config.ts'
import { isMetricsToken } from './metrics-token.ts'

const token = 'm'.repeat(32)

describe('METRICS_TOKEN', () => {
  it('is refused at the start when it is short, or is no bearer token', () => {
    for (const wrong of [
      'm'.repeat(31),
      `${'m'.repeat(32)} x`,
      `${'m'.repeat(32)}\n`,
      'é'.repeat(40),
    ])
      assert.throws(() => readSettings({ METRICS_TOKEN: wrong }), SettingError, wrong)
    assert.equal(readSettings({ METRICS_TOKEN: token }).metrics_token, token)
  })

  it('matches as a bearer token alone, and never where none is set', () => {
    const set = { metrics_token: token }
    assert.ok(isMetricsToken(set, `Bearer ${token}`))
    assert.ok(isMetricsToken(set, `bearer  ${token}`))
    for (const wrong of [undefined, '', token, `Basic ${token}`, `Bearer ${token}m`, 'Bearer '])
      assert.equal(isMetricsToken(set, wrong), false, String(wrong))
    for (const any of [undefined, '', 'Bearer ', 'Bearer null', `Bearer ${token}`])
      assert.equal(isMetricsToken({ metrics_token: null }, any), false, String(any))
  })

  it('opens no operation', async () => {
    const { call } = await testPipeline({ settings: { METRICS_TOKEN: token } })
    for (const at of ['GET /v1/account', 'POST /v1/customers']) {
      const answer = await call(at, { token, body: {} })
      assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_token'], at)
    }
  })
})
