// Tells registries what changed in contacts that they know.
import { type App, type Call, job } from '../../app.ts'
import type { Outcome, Registry } from '../../outside/registry/port.ts'
import { storeAuditRow } from '../audit/index.ts'
import { contactIfThere } from './registry.ts'
import { claimStale, markFailed } from './store.ts'

const atOnce = 20
/** Longer than the longest time that a registry's answer may take. */
const leased_s = 120

export const syncContacts = job({
  name: 'sync_contacts',
  does: 'Tells registries what changed in the contacts that they know.',
  every_ms: 15_000,
  wakes_on: 'contacts_changed',
  async run(app, call) {
    const registries = new Map(app.registries.all().map((one) => [one.profile.name, one]))
    const due = await app.db.run(claimStale, [[...registries.keys()], leased_s, atOnce])
    await Promise.all(
      due.map(async ({ registry: name, ...contact }) => {
        const registry = registries.get(name)
        if (registry) await sync(app, call, { ...contact, registry })
      }),
    )
    return { more: due.length === atOnce }
  },
})

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
