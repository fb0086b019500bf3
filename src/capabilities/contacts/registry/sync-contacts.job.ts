// Synchronization: sends changed contacts to registries that have them.
import Type from 'typebox'
import type { Outcome, Registry } from '../../../adapters/registry/port.ts'
import { type App, type Call, job } from '../../../app.ts'
import { done, inBulkheads, type TaskEnd, taskKind, workTasks } from '../../../tasks/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { ownerOfContact } from '../contacts.sql.ts'
import { contactIfThere } from './registry-contact.ts'

const at_once = 20
const every_ms = 15_000

/** Triggers of registry_contacts enqueue it; the bulkhead is the registry. */
const syncContact = taskKind({
  kind: 'sync_contact',
  payload: Type.Object({ contact_id: Type.String({ pattern: '^[0-9]+$' }) }),
  backoff: { first_ms: 10_000, longest_ms: 3_600_000 },
  most_attempts: null,
})

export const syncContacts = job({
  name: 'sync_contacts',
  does: 'Sends changed contacts to registries that have them.',
  every_ms,
  wakes_on: 'contacts_changed',
  per_node: true,
  task_kind: syncContact.kind,
  run: (app, call) =>
    inBulkheads(app.registries.all, (registry) => syncAll(app, call, registry), every_ms),
})

async function syncAll(app: App, call: Call, registry: Registry): Promise<{ more: boolean }> {
  // While a registry is down, one claim probes it.
  const isDown = () => registry.health().state === 'down'
  const limit = isDown() ? 1 : at_once
  const claimed = await workTasks(app, syncContact, {
    bulkhead: registry.profile.name,
    limit,
    handle: ({ payload }) => sync(app, call, { registry, contact_id: BigInt(payload.contact_id) }),
  })
  return { more: claimed === limit && !isDown() }
}

type Behind = { contact_id: bigint; registry: Registry }

async function sync(app: App, call: Call, { registry, contact_id }: Behind): Promise<TaskEnd> {
  const { name } = registry.profile
  const owner = await app.db.maybe(ownerOfContact, { id: contact_id })
  if (!owner) return done
  const known = await contactIfThere(app.db, { contact_id, ...owner, registry: name })
  // The contact was deleted, or a purchase put it there meanwhile.
  if (!known || known.synced) return done
  const outcome = await registry.putContact(known.contact, 'background')
  if (outcome.kind !== 'done') return { end: 'retry', reason: wordsOf(outcome) }
  return {
    end: 'done',
    effects: async (sql) => {
      await known.markSynced(sql)
      const row = call.auditRow({
        target_type: 'contact',
        target: String(contact_id),
        ...owner,
        metadata: { registry: name, registry_contact_id: known.contact.id },
      })
      await storeAuditRow(sql, row)
    },
  }
}

/** Shows an operator why a contact is behind. */
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
