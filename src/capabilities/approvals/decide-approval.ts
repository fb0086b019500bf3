// Decides an approval, by the owner's own session alone: POST /v1/approvals/{id}/approve and
// /decline.
import Type, { type Static } from 'typebox'
import { type App, type Call, operation, ownerInPerson } from '../../app.ts'
import { FieldReader } from '../../kit/field-reader.ts'
import { nullable } from '../../kit/schema.ts'
import { enqueue } from '../../tasks/index.ts'
import { freshLogInNeeded, requireFreshLogIn, sessionRequired } from '../account/index.ts'
import { approvalId, approvalOf, approvalShape, isRepeatedByCaller } from './approval.ts'
import { asksForLogIn } from './approval-settings.ts'
import { runApprovalTask } from './approval-task.ts'
import { approvalOfCustomer, decideApproval, freshLogInRule } from './approvals.sql.ts'
import { approvalDecided, approvalNotFound } from './faults.ts'

const takes = Type.Object({
  id: approvalId,
  note: Type.Optional(
    nullable(Type.String({ maxLength: 500, description: 'A note to the agent that asked.' })),
  ),
})
const common = {
  area: 'Approvals',
  who: ownerInPerson(),
  takes,
  gives: approvalShape,
  effect: 'transaction',
  target: ({ id }: { id: string }, output: Static<typeof approvalShape> | undefined) => ({
    target_type: 'approval',
    target: id,
    metadata: output
      ? { domain: output.domain, asked_for: output.action, highest_price: output.highest_price }
      : {},
  }),
} as const

export const approveRequest = operation({
  ...common,
  name: 'approve_request',
  does: 'Approve a request of a key or an app: the service does exactly that, once.',
  more:
    'Only the owner may do this, in their own session. Above the amount that the account sets, ' +
    'and for requests that cost nothing, it needs a log-in within the last ten minutes. A higher ' +
    'price, or another order than the one that is shown, is never carried out. The limits of the ' +
    'key still apply.',
  at: 'POST /v1/approvals/{id}/approve',
  fails: [approvalNotFound, approvalDecided, freshLogInNeeded, sessionRequired],
  run: (input, call, app) => decide(app, call, { ...input, state: 'approved' }),
})

export const declineRequest = operation({
  ...common,
  name: 'decline_request',
  does: 'Decline a request of a key or an app.',
  more: 'Only the owner may, in their own session. The agent reads the note.',
  at: 'POST /v1/approvals/{id}/decline',
  fails: [approvalNotFound, approvalDecided, sessionRequired],
  run: (input, call, app) => decide(app, call, { ...input, state: 'declined' }),
})

type Decision = Static<typeof takes> & { state: 'approved' | 'declined' }

async function decide(app: App, call: Call, { id, note: given, state }: Decision) {
  const { sql, customer_id } = call
  const reading = new FieldReader()
  const note = reading.optionalLine('note', given)
  reading.finish()
  const row = await sql.maybe(approvalOfCustomer, { id, customer_id })
  if (!row) throw approvalNotFound()
  if (state === 'approved' && asksForLogIn(await sql.one(freshLogInRule, { customer_id }), row))
    requireFreshLogIn(app, call)
  const decided = { id, customer_id, state, note, decided_at: app.clock.now() }
  if ((await sql.count(decideApproval, decided)) > 0) {
    if (state === 'approved' && !isRepeatedByCaller(row.action))
      await enqueue(sql, runApprovalTask, { key: id, payload: { approval_id: id } })
    return approvalOf(app, await sql.one(approvalOfCustomer, { id, customer_id }))
  }
  const now = approvalOf(app, await sql.one(approvalOfCustomer, { id, customer_id }))
  // The request has already been given this answer.
  if (now.state === state || (state === 'approved' && now.state === 'executed')) return now
  throw approvalDecided({
    detail: `The request is no longer waiting for an answer: it is ${now.state}.`,
    facts: { approval: { id, state: now.state } },
  })
}
