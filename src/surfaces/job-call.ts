// The call that a run of a job is: nobody's request, the system's own doing.
import type { App, Call } from '../app.ts'
import { systemAuditRow } from '../capabilities/audit/index.ts'

/** For the worker, and for what a start does by itself. */
export function jobCall(app: App, name: string): Call {
  return {
    caller: { kind: 'anonymous' },
    customer_id: '',
    request_id: name,
    address: '',
    entry_point: 'job',
    agent_identifier: 'agent-registrar',
    sql: app.db,
    auditRow: (facts) =>
      systemAuditRow(
        { action: facts.action ?? name, agent_identifier: name, now: app.clock.now() },
        facts,
      ),
  }
}
