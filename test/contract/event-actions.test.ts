// Events against the audit log: each action is a rule of events, or is listed as none.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  eventActions,
  eventOf,
  silentActions,
} from '../../src/capabilities/events/log/event-rules.ts'
import { jobs, operations } from '../../src/catalog.ts'
import { auditActions } from './support/events/audit-actions.ts'

it('each action has a rule of events or is listed in silentActions, not both', () => {
  const known = [...eventActions, ...silentActions]
  assert.deepEqual(
    auditActions().filter((action) => !known.includes(action)),
    [],
    'add it to src/capabilities/events/log/event-rules.ts',
  )
  assert.equal(new Set(known).size, known.length)
})

it('no rule is for an action that does not exist', () => {
  const real = new Set([
    ...auditActions(),
    ...operations.flatMap(({ name, tools = [] }) => [
      name,
      ...tools.map((one) => one.name ?? name),
    ]),
    // A job's rows have its name, unless they say otherwise.
    ...jobs.map(({ name }) => name),
    ...['top_up_parked', 'top_up_reversed', 'top_up_reinstated', 'top_up_credited'],
    ...['hold_unpaid_domain', 'lift_unpaid_hold'],
  ])
  assert.deepEqual(
    [...eventActions, ...silentActions].filter((action) => !real.has(action)),
    [],
  )
})

it('knows each row that a permission or an operator leaves, so that none is a line of the log', () => {
  const row = {
    ...{ id: 1n, xid: '1', entry_point: 'rest', actor_type: 'api_key', actor_label: null },
    ...{ agent_identifier: 'x', api_key_id: 1n, customer_id: 'cus_1', target_type: null },
    ...{ target: null, status_code: 403, error_code: null, metadata: {} },
    created_at: new Date(),
  }
  const unknown = operations.flatMap(({ name, effect, path, tools = [] }) => {
    const actions = [name, ...tools.map((one) => one.name ?? name)]
    const isRead = effect === 'none' && path.includes('{customer_id}')
    return ['denied', ...(isRead ? ['success'] : [])].flatMap((result) =>
      actions.filter((action) => eventOf({ ...row, action, result }) === undefined),
    )
  })
  assert.deepEqual(unknown, [])
})
