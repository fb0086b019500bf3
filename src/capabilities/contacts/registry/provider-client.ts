// Provider client: updates the contact object that represents a customer to its default registrant.
import Type from 'typebox'
import type { Outcome, Priority, Registry } from '../../../adapters/registry/port.ts'
import type { App, AuditFacts, Call } from '../../../app.ts'
import { enqueue, taskKind } from '../../../tasks/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { clientReconciled, clientRefused, endClientLease } from './provider-clients.sql.ts'
import { type AtRegistry, contactIfThere } from './registry-contact.ts'

/** Enqueued by triggers of provider_clients; the bulkhead is the registry. */
export const refreshClient = taskKind({
  kind: 'refresh_provider_client',
  payload: Type.Object({ customer_id: Type.String() }),
  backoff: { first_ms: 10_000, longest_ms: 3_600_000 },
  most_attempts: null,
})

/** Longer than all exchanges of one putContact. */
export const client_lease_s = 60

/** Registries that keep contact objects, in the order of the file. */
export function providersOf(app: Pick<App, 'registries'>): Registry[] {
  return app.registries.all().filter(({ profile }) => profile.contacts !== 'prohibited')
}

export type Client = { customer_id: string; contact_id: bigint; registry: Registry }

/** The registrant as it is now, for its object at the registry; undefined once it is deleted. */
export function registrantAt(
  app: App,
  { registry, ...key }: Client,
): Promise<AtRegistry | undefined> {
  return contactIfThere(app.db, { ...key, registry: registry.profile.name })
}

type Putting = { client: Client; known: AtRegistry; priority: Priority }

/**
 * Puts the object, even where it should exist already, and stores the outcome. The caller holds the
 * row's lease. Idempotent after a crash: the object's id derives from the contact's.
 */
export async function putClient(
  app: App,
  call: Call,
  { client, known, priority }: Putting,
): Promise<Outcome<{ id: string }>> {
  const { customer_id, registry } = client
  const { name } = registry.profile
  const put = await registry.putContact(known.contact, priority)
  switch (put.kind) {
    case 'done':
      await app.db.transaction(async (sql) => {
        await known.markSynced(sql)
        const { id } = put.value
        await sql.count(clientReconciled, {
          customer_id,
          registry: name,
          client_id: id,
          digest: known.digest,
          reconciled_at: app.clock.now(),
        })
        await storeAuditRow(sql, call.auditRow(factsOf(client, { registry: name, client_id: id })))
      })
      return put
    case 'refused':
      await app.db.count(clientRefused, { customer_id, registry: name, digest: known.digest })
      return put
    case 'accepted':
    case 'unknown':
      await app.db.count(endClientLease, { customer_id, registry: name })
      return put
  }
}

function factsOf({ customer_id }: Client, metadata: Record<string, unknown>): AuditFacts {
  return { target_type: 'customer', target: customer_id, customer_id, metadata }
}

/** A try that the registry did not answer counts for the task as well: its next one is later. */
export async function postponeRefresh(app: App, { customer_id, registry }: Client): Promise<void> {
  const { name } = registry.profile
  await enqueue(app.db, refreshClient, {
    key: `${name}/${customer_id}`,
    bulkhead: name,
    payload: { customer_id },
    run_at: new Date(app.clock.now().getTime() + refreshClient.backoff.first_ms),
    existing: 'replace',
  })
}
