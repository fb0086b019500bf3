// An order that a round leaves open: the settle job continues it, or it is parked, and an operator
// decides.
import type { App } from '../../../app.ts'
import type { Params } from '../../../db/statement.ts'
import { storeAuditRow } from '../../audit/index.ts'
import type { Execution, OpenOrder, Round } from './handlers/order-handler.ts'
import {
  acceptedAlarmAfterMs,
  alarmAfterMs,
  auditTarget,
  waitBefore,
  waitForRegistry,
} from './order.ts'
import { releaseDeferred } from './order-faults.ts'
import { leaveOrder } from './orders.sql.ts'
import type { Decision } from './reconcile/reconcile.ts'

/** Leaves the order to the settle job, or to an operator. */
export async function leaveOpen(
  { app, call, order, attempt }: Execution,
  decision: Extract<Decision, { do: 'wait' | 'park' }>,
): Promise<Round> {
  const parked = decision.do === 'park'
  const state = parked ? 'parked' : decision.state
  const code = parked ? 'parked' : decision.code
  const age = ageOf(app, order)
  const alarm_ms = state === 'accepted' ? acceptedAlarmAfterMs : alarmAfterMs
  const late = age > alarm_ms && code !== releaseDeferred
  const alarm = parked || decision.alarm || late ? `${code}: ${decision.detail}` : null
  const facts = { order: order.id, domain: order.domain, detail: alarm }
  if (alarm) app.log.error({ ...facts, alarm: 'order_needs_operator' }, 'order needs manual review')
  const wait = state === 'accepted' ? waitForRegistry(age) : waitBefore(attempt.number)
  const left = {
    id: order.id,
    lease_token: order.lease_token,
    state,
    in_ms: wait,
    error_code: code,
    error_detail: decision.detail,
    alarm,
  }
  if (parked) await parkOrder({ app, call, order }, left)
  else await call.sql.run(leaveOrder, left)
  return { result: 'open', state, code, detail: decision.detail }
}

/** Parks the order with an audit row, because it now waits for a person. */
async function parkOrder(
  { app, call, order }: Pick<Execution, 'app' | 'call' | 'order'>,
  left: Params<'orders_leave'>,
): Promise<void> {
  const row = call.auditRow({
    ...auditTarget(order),
    action: 'park_order',
    result: 'unknown',
    metadata: { order: order.id, detail: left.error_detail },
  })
  await app.db.transaction(async (sql) => {
    if (await sql.maybe(leaveOrder, left)) await storeAuditRow(sql, row)
  })
}

/**
 * Milliseconds since it was placed, by the service's clock: an alarm is about a person's wait. (How
 * long a command may be sent again is counted by the registry's clock, since it was sent first.)
 */
export function ageOf(app: App, order: OpenOrder): number {
  return app.clock.now().getTime() - order.created_at.getTime()
}
