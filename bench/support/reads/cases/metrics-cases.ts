// Arguments of the statements of metrics, which count up to a limit. The limit here is one that the
// smaller database reaches, because the backlog of the load grows with it.
import { json, type Params, type StatementName } from '../../../../src/db/statement.ts'

type Cases = { [N in StatementName]?: readonly Params<N>[] }

const most = 5n

export const metricsCases: Cases = {
  metrics_claim_snapshot: [{ every_ms: 10_000 }],
  metrics_store_snapshot: [{ samples: json([]) }],
  metrics_open_orders: [{ most }],
  metrics_parked_payments: [{ most }],
  metrics_due_tasks: [{ most }],
  metrics_dead_tasks: [{ most }],
  metrics_failed_mails: [{ most }],
}
