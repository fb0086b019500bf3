// Requirements of an order at its registry: the contacts that its command names.

import type { Outcome } from '../../../../adapters/registry/port.ts'
import type { App } from '../../../../app.ts'
import type { CustomerId } from '../../../../kit/random.ts'
import { type ContactRole, contactForRegistry } from '../../../contacts/index.ts'
import { undecided } from '../attempt.ts'
import type { Attempt } from '../order.ts'
import type { Sending } from './order-handler.ts'

type Refs = {
  registrant: string | null
  contacts: { type: 'admin' | 'tech' | 'billing'; id: string }[]
}

const roleTypes = { admin: 'admin', technical: 'tech', billing: 'billing' } as const
const otherRoles = ['admin', 'technical', 'billing'] as const

/** Makes sure that the registry has the contacts, and returns its ids for them. */
export async function putContacts(
  app: App,
  { order, registry }: Pick<Sending, 'registry'> & { order: { customer_id: CustomerId } },
  chosen: Partial<Record<ContactRole, number>>,
): Promise<Outcome<Refs>> {
  const none: Refs = { registrant: null, contacts: [] }
  if (registry.profile.contacts === 'prohibited')
    return { kind: 'done', value: none, sv_trid: null }
  const ids = new Map<number, string>()
  for (const contactId of new Set(Object.values(chosen))) {
    const contact = await contactForRegistry(app.db, {
      contact_id: BigInt(contactId),
      customer_id: order.customer_id,
      registry: registry.profile.name,
    })
    if (contact.synced) {
      ids.set(contactId, contact.contact.id)
      continue
    }
    const put = await registry.putContact(contact.contact, 'purchase')
    if (put.kind !== 'done') return put
    await contact.markSynced()
    ids.set(contactId, put.value.id)
  }
  const registrant = ids.get(chosen.registrant ?? 0) ?? null
  const contacts = otherRoles.flatMap((role) => {
    const id = ids.get(chosen[role] ?? 0)
    return id === undefined ? [] : [{ type: roleTypes[role], id }]
  })
  return { kind: 'done', value: { registrant, contacts }, sv_trid: null }
}

/**
 * The outcome of an attempt whose requirement was not met, so that its command was not sent. While
 * the registry still works on the requirement, the order waits.
 */
export function unmetRequirement<T>(
  outcome: Exclude<Outcome<T>, { kind: 'done' }>,
  attempt: Attempt,
): Outcome<never> {
  if (outcome.kind === 'accepted') return pending
  const decided = undecided(outcome, attempt)
  // Its reason is about the contact or the host, so that "exists" is not about the domain.
  return decided.kind === 'refused' ? { ...decided, reason: 'policy' } : decided
}

const pending: Outcome<never> = {
  kind: 'unknown',
  cause: 'server_failed',
  message: 'The registry works on a contact.',
}
