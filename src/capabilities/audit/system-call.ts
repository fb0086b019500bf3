// The call context of jobs: the registrar itself, outside any request.
import { randomUUID } from 'node:crypto'
import type { App, Call } from '../../app.ts'
import { systemAuditRow } from './rows/row.ts'

/**
 * A call by the registrar; its audit rows have actor `system`, entry point `job` and the name as
 * their action.
 */
export function systemCall(app: App, name: string): Call {
  const agent_identifier = `agent-registrar/${name}`
  return {
    caller: { kind: 'anonymous' },
    customer_id: '',
    request_id: `job_${randomUUID()}`,
    address: '',
    entry_point: 'job',
    agent_identifier,
    sql: app.db,
    auditRow: (facts) =>
      systemAuditRow(
        { action: facts.action ?? name, agent_identifier, now: app.clock.now() },
        facts,
      ),
  }
}
