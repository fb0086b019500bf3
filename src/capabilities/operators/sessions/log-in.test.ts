// Log-in with an operator key: wrong keys are limited for each network, as failed log-ins are.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testPipeline } from '../../../../test/support/test-pipeline.ts'
import { operations } from '../index.ts'

const { call, operator } = await testPipeline({ operations })
const at = 'POST /v1/operator/login'
const headers = { 'x-session': 'operator' }
const logIn = (operator_key: string, address: string) =>
  call(at, { body: { operator_key }, address, headers })

it('limits wrong keys of one network, and none of another', async () => {
  const wrong = `op_${'w'.repeat(40)}`
  const tried = await Promise.all(Array.from({ length: 25 }, () => logIn(wrong, '192.0.2.1')))
  const statuses = tried.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 401).length, 20)
  const refused = tried.find(({ status }) => status === 429)
  assert.equal(refused?.body.code, 'too_many_tries')
  assert.ok(Number(refused?.headers['Retry-After']) > 0)
  assert.equal((await logIn(operator, '192.0.2.1')).status, 429)
  assert.equal((await logIn(operator, '198.51.100.7')).status, 200)
})

it('does not count the right key', async () => {
  for (let i = 0; i < 30; i += 1)
    assert.equal((await logIn(operator, '203.0.113.9')).status, 200, String(i))
})
