// Sentences of the audit log: every action that an account's log can have reads as one.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditTexts } from '../../dashboard/src/messages/audit/audit-texts.ts'
import { auditActions } from './support/events/audit-actions.ts'

it('has a verb for every action that changes something', () => {
  const all = auditActions()
  assert.ok(all.includes('transfer_out_requested') && all.includes('grant_oauth_client'))
  const known: readonly string[] = auditTexts.actions
  assert.deepEqual(
    all.filter((action) => !known.includes(action)),
    [],
  )
})
