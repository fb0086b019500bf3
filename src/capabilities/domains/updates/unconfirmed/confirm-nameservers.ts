// Confirms a change of name servers, which would otherwise be reverted.
import type { App, Call } from '../../../../app.ts'
import { requireFreshSession } from '../../../account/index.ts'
import { storeAuditRow } from '../../../audit/index.ts'
import { dnsChangeEnded, requireConfirmable } from '../../dns/unconfirmed/confirmable.ts'
import type { ChangeState } from '../../dns/unconfirmed/confirmation.ts'
import {
  endNameserverConfirmation,
  nameserverConfirmation,
} from '../../dns/unconfirmed/nameserver-confirmations.sql.ts'
import type { Holding } from '../../holdings/domain-presenter.ts'

type Confirming = { holding: Holding; change_id: string }

/**
 * Undefined if the holding has no such change. A change that is being reverted cannot be confirmed.
 */
export async function confirmNameservers(
  app: App,
  call: Call,
  { holding, change_id }: Confirming,
): Promise<ChangeState | undefined> {
  const row = await call.sql.maybe(nameserverConfirmation, { change_id })
  if (row?.domain_id !== holding.id) return undefined
  requireConfirmable(row, call)
  requireFreshSession(app, call)
  const confirmed = {
    ...{ id: change_id, state: 'confirmed' as const },
    reverts_at: row.reverts_at.toISOString(),
  }
  const repeated = row.state === 'confirmed' ? { repeated: true } : {}
  await app.db.transaction(async (sql) => {
    const ending = { change_id, state: 'confirmed', from: ['unconfirmed', 'kept'] }
    const isEnded = await sql.maybe(endNameserverConfirmation, {
      ...{ ...ending, kept_because: null, also_going_back: false },
    })
    if (!isEnded && row.state !== 'confirmed')
      throw dnsChangeEnded({ facts: { state: 'reverted' } })
    await call.assertStillAllowed({ sql, domain: holding.name, scope: 'domains:write' })
    const metadata = { confirms: change_id, state: 'confirmed', ...repeated }
    const about = { action: 'confirm_dns_change', target_type: 'domain', target: holding.name }
    await storeAuditRow(sql, call.auditRow({ ...about, metadata }))
  })
  return confirmed
}
