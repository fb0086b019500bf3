// Provider client: updates the contact object that represents a customer to its default registrant.

import Type from 'typebox'
import type { Outcome, Priority, Registry } from '../../../adapters/registry/port.ts'
import type { App, AuditFacts, Call } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { stringOf } from '../../../kit/schema.ts'
import { type TaskEnd, taskKind } from '../../../tasks/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { clientReconciled, clientRefused } from './provider-clients.sql.ts'
import { type AtRegistry, contactIfThere } from './registry-contact.ts'
import { wordsOf } from './sync-contacts.job.ts'

/** Triggers of provider_clients enqueue it; the bulkhead is the registry. */
export const refreshClient = taskKind({
  kind: 'refresh_provider_client',
  payload: Type.Object({ customer_id: stringOf<CustomerId>() }),
  backoff: { first_ms: 10_000, longest_ms: 3_600_000 },
  most_attempts: null,
})

/** Registries that keep contact objects, in the order of the file. */
export function providersOf(app: Pick<App, 'registries'>): Registry[] {
  return app.registries.all.filter(({ profile }) => profile.contacts !== 'prohibited')
}

export type Client = { customer_id: CustomerId; contact_id: bigint; registry: Registry }

/** The present registrant, for its object at the registry, or undefined once it is deleted. */
export function registrantAt(
  app: App,
  { registry, ...key }: Client,
): Promise<AtRegistry | undefined> {
  return contactIfThere(app.db, { ...key, registry: registry.profile.name })
}

type Putting = { client: Client; known: AtRegistry; priority: Priority }
type Put = { outcome: Outcome<{ id: string }>; end: TaskEnd }

/**
 * Puts the object, even where it should exist already; the outcome is stored with the end of the
 * task. Idempotent after a crash: the object's id derives from the contact's.
 */
export async function putClient(app: App, call: Call, putting: Putting): Promise<Put> {
  const { client, known, priority } = putting
  const { customer_id, registry } = client
  const { name } = registry.profile
  const outcome = await registry.putContact(known.contact, priority)
  switch (outcome.kind) {
    case 'done': {
      const { id } = outcome.value
      const effects = (sql: Sql) => storeClient(app, call, { sql, putting, id })
      return { outcome, end: { end: 'done', effects } }
    }
    case 'refused': {
      // A refusal holds until the facts change.
      const refused = { customer_id, registry: name, digest: known.digest }
      const effects = async (sql: Sql) => void (await sql.count(clientRefused, refused))
      return { outcome, end: { end: 'done', effects } }
    }
    case 'accepted':
    case 'unknown':
      return { outcome, end: { end: 'retry', reason: wordsOf(outcome) } }
  }
}

type Storing = { sql: Sql; putting: Putting; id: string }

async function storeClient(app: App, call: Call, { sql, putting, id }: Storing): Promise<void> {
  const { client, known } = putting
  const { customer_id, registry } = client
  const { name } = registry.profile
  await known.markSynced(sql)
  await sql.count(clientReconciled, {
    customer_id,
    registry: name,
    client_id: id,
    digest: known.digest,
    reconciled_at: app.clock.now(),
  })
  await storeAuditRow(sql, call.auditRow(factsOf(client, { registry: name, client_id: id })))
}

function factsOf({ customer_id }: Client, metadata: Record<string, unknown>): AuditFacts {
  return { target_type: 'customer', target: customer_id, customer_id, metadata }
}

export function refreshKey({ customer_id, registry }: Pick<Client, 'customer_id' | 'registry'>) {
  return `${registry.profile.name}/${customer_id}`
}
