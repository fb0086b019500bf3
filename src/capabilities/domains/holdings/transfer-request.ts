// Transfer requests of other registrars for domains that we hold: stored with the holding, and the
// owner is notified once, whether a poll message, the sync or a read shows the request first.

import type { Priority, RegistryTransfer } from '../../../adapters/registry/port.ts'
import type { App } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { json } from '../../../db/statement.ts'
import { publicUrls } from '../../../origins.ts'
import { storeAuditRow, systemCall } from '../../audit/index.ts'
import { customerMail } from '../../mail/index.ts'
import { transferRequestEmail } from '../emails.ts'
import { registryOf } from '../names.ts'
import type { Holding } from './domain-presenter.ts'
import { noteTransferOut } from './sync.sql.ts'

/**
 * Stores a pending transfer of a name that we hold, with the mail and the audit row if the owner
 * was not notified of it yet. Returns whether we hold the name.
 */
export async function reportTransferRequest(
  app: App,
  sql: Sql,
  transfer: RegistryTransfer,
): Promise<boolean> {
  const { domain, requested_by, requested_at, acts_at } = transfer
  const wanted = { requested_by, requested_at, acts_at }
  const held = await sql.maybe(noteTransferOut, { name: domain, transfer_out: json(wanted) })
  if (!held) return false
  const { customer_id } = held
  const isNew = await customerMail(
    sql,
    customer_id,
    transferRequestEmail(transfer, publicUrls(app.settings)),
  )
  if (!isNew) return true
  const row = systemCall(app, 'transfer_out_requested').auditRow({
    target_type: 'domain',
    target: domain,
    customer_id,
    result: 'pending',
    metadata: wanted,
  })
  await storeAuditRow(sql, row)
  return true
}

/** Whether a reading shows a request of a registrar that is not known yet. */
export function isTransferUnexplained({ epp_statuses, transfer_out }: Holding): boolean {
  return epp_statuses.includes('pendingTransfer') && transfer_out === null
}

/**
 * Asks the registry which registrar requests the domain, and notifies its owner. A registry that is
 * silent is asked again at the next reading.
 */
export async function explainTransferOut(
  app: App,
  { name }: Holding,
  priority: Priority,
): Promise<void> {
  const registry = registryOf(app, name)
  if (!registry) return
  const asked = await registry.transferQuery(name, priority)
  if (asked.kind !== 'done' || asked.value.status !== 'pending') return
  if (asked.value.requested_by === registry.profile.client_id) return
  await app.db.transaction((sql) => reportTransferRequest(app, sql, asked.value))
}
