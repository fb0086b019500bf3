// A holding ends: it went to another registrar, or the registry dropped it.
import type { App } from '../../app.ts'
import { storeAuditRow, systemCall } from '../audit/index.ts'
import type { Holding } from './holding.ts'
import { endHoldingRow } from './store.ts'

/** `dropped`: nobody holds it any more. Both are the last status of the holding. */
export type Ending = 'transferred_away' | 'dropped'

/**
 * Ends it, with its audit row, once. Not while an order for the name is open: its end decides
 * first. Answers whether it was ended now.
 */
export async function endHolding(app: App, holding: Holding, ending: Ending): Promise<boolean> {
  const call = systemCall(app, 'end_holding')
  return app.db.transaction(async (sql) => {
    const ended = await sql.maybe(endHoldingRow, [holding.id, holding.customer_id, ending])
    if (!ended) return false
    await storeAuditRow(
      sql,
      call.auditRow({
        action: ending === 'dropped' ? 'domain_dropped' : 'domain_transferred_away',
        target_type: 'domain',
        target: holding.name,
        customer_id: holding.customer_id,
        result: 'success',
        metadata: { expiry: holding.expiry.toISOString() },
      }),
    )
    return true
  })
}
