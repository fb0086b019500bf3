// Archived rows over HTTP: their proof is 404 with a code of its own, for every account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../../../test/support/service.ts'
import { first, oldLog } from './archive.fixture.ts'

test('the proof of an archived entry is refused as archived, of an unknown one as unknown', async () => {
  const log = await oldLog()
  assert.equal((await log.archive(first)).ok, true)
  const registrar = await startService({ database_url: log.url, worker: false })
  const { id, key: token } = await registrar.customer({ funds_cents: 0, contact: false })
  const codeOf = async (entry: number) => {
    const path = `/v1/customers/${id}/audit-logs/${entry}/proof`
    const { status, body } = await registrar.request('GET', path, { token })
    return [status, body.code]
  }
  assert.deepEqual(await codeOf(2), [404, 'audit_log_archived'])
  assert.deepEqual(await codeOf(9), [404, 'audit_log_not_found'])
  assert.deepEqual(await codeOf(999_999_999), [404, 'audit_log_not_found'])
})
