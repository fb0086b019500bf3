// Sentences of the dashboard's audit log: each action that a customer's log may show has a verb.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditTexts } from '../../dashboard/src/messages/audit/audit-log.ts'
import { operations } from '../../src/catalog.ts'

test('each operation with an effect has a verb in the dashboard', () => {
  const audited = operations.filter(({ effect, area }) => effect !== 'none' && area !== 'Sandbox')
  const names = audited.map(({ name }) => name)
  const missing = names.filter((name) => !auditTexts.actions.includes(name))
  assert.deepEqual(missing, [])
})
