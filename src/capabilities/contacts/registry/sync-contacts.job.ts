// Tells registries what changed in contacts that they know.

import type { Outcome, Registry } from '../../../adapters/registry/port.ts'
import { type App, type Call, job } from '../../../app.ts'
import { inBulkheads } from '../../../tasks/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { claimStale, markFailed } from '../contacts.sql.ts'
import { contactIfThere } from './registry-contact.ts'

const atOnce = 20
const every_ms = 15_000
/** Longer than the longest time that a registry's answer may take. */
const leased_s = 120

export const syncContacts = job({
  name: 'sync_contacts',
  does: 'Tells registries what changed in the contacts that they know.',
  every_ms,
  wakes_on: 'contacts_changed',
  run: (app, call) =>
    inBulkheads(app.registries.all(), (registry) => syncAll(app, call, registry), every_ms),
})

async function syncAll(app: App, call: Call, registry: Registry): Promise<{ more: boolean }> {
  // While it is down, one finds out when it is back.
  const isDown = () => registry.health().state === 'down'
  const most = isDown() ? 1 : atOnce
  const due = await app.db.run(claimStale, [[registry.profile.name], leased_s, most])
  await Promise.all(
    due.map(({ registry: _name, ...contact }) => sync(app, call, { ...contact, registry })),
  )
  return { more: due.length === most && !isDown() }
}

type Stale = { contact_id: bigint; customer_id: string; registry: Registry }

async function sync(app: App, call: Call, { registry, ...key }: Stale): Promise<void> {
  const { name } = registry.profile
  const known = await contactIfThere(app.db, { ...key, registry: name })
  if (!known) return
  const outcome = await registry.putContact(known.contact, 'background')
  if (outcome.kind !== 'done') {
    await app.db.count(markFailed, [key.contact_id, name, wordsOf(outcome)])
    return
  }
  await app.db.transaction(async (sql) => {
    await known.markSynced(sql)
    const row = call.auditRow({
      target_type: 'contact',
      target: String(key.contact_id),
      customer_id: key.customer_id,
      metadata: { registry: name, registry_contact_id: known.contact.id },
    })
    await storeAuditRow(sql, row)
  })
}

/** For the operator who looks why a contact is behind. */
export function wordsOf(outcome: Exclude<Outcome<unknown>, { kind: 'done' }>): string {
  switch (outcome.kind) {
    case 'accepted':
      return 'accepted: the registry will do it later'
    case 'refused':
      return `refused (${outcome.code ?? outcome.reason}): ${outcome.message}`
    case 'unknown':
      return `${outcome.cause}: ${outcome.message}`
  }
}
