// A holding ends: it went to another registrar, or the registry dropped it.
import type { App } from '../../../app.ts'
import { storeAuditRow, systemCall } from '../../audit/index.ts'
import { customerMail } from '../../mail/index.ts'
import { dropped, movedAway } from '../emails.ts'
import type { Holding } from './domain-presenter.ts'
import { endHoldingRow } from './holdings.sql.ts'
import { lockHolding } from './sync.sql.ts'

/** `dropped`: nobody holds it any more. Both are the last status of the holding. */
export type Ending = 'transferred_away' | 'dropped'

/**
 * Ends it, with its audit row and a mail to its owner, once. Not while an order for the name is
 * open: its end decides first. Answers whether it was ended now.
 */
export async function endHolding(app: App, holding: Holding, ending: Ending): Promise<boolean> {
  const call = systemCall(app, 'end_holding')
  const { base_url, site_url } = app.settings
  const { id, customer_id, name, expiry } = holding
  const letter = ending === 'dropped' ? dropped(holding, base_url) : movedAway(holding, site_url)
  return app.db.transaction(async (sql) => {
    // First the lock, then a look at the orders: one that is just being placed holds the same lock.
    await sql.maybe(lockHolding, [id])
    const ended = await sql.maybe(endHoldingRow, [id, customer_id, ending])
    if (!ended) return false
    await storeAuditRow(
      sql,
      call.auditRow({
        action: ending === 'dropped' ? 'domain_dropped' : 'domain_transferred_away',
        target_type: 'domain',
        target: name,
        customer_id,
        result: 'success',
        metadata: { expiry: expiry.toISOString() },
      }),
    )
    await customerMail(sql, customer_id, letter)
    return true
  })
}
