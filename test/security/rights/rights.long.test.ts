// Every operation that waits for a registry x every caller x every end of its right meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../support/service.ts'
import { allCases, runCases } from './held.ts'

const registrar = await startService({ worker: false })

test(`nothing is done for a caller whose right has ended, in ${allCases.length} cases`, async () => {
  assert.deepEqual(await runCases(registrar, allCases), [])
})
