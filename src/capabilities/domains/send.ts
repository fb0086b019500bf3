// One sending of a register order: what it needs at the registry first (contacts, hosts), then the
// create itself.
import type { App } from '../../app.ts'
import type { Outcome, Registry } from '../../outside/registry/port.ts'
import { type ContactRole, contactForRegistry } from '../contacts/index.ts'
import type { Attempt, RegisterOrder } from './order.ts'
import type { Bought } from './verdict.ts'

/** The registry of a TLD, as app.registries gives it. */
export type Registrar = { registry: Registry }
export type Sending = {
  order: { customer_id: string; domain: string; command: RegisterOrder; send_by_ms: number }
  attempt: Attempt
  registrar: Registrar
}
type Refs = {
  registrant: string | null
  contacts: { type: 'admin' | 'tech' | 'billing'; id: string }[]
}

/**
 * Sends it. A requirement that is not met counts as the create's own outcome: nothing was created.
 */
export async function sendRegister(app: App, sending: Sending): Promise<Outcome<Bought>> {
  const { order, attempt, registrar } = sending
  const { registry } = registrar
  const contacts = await putContacts(app, sending)
  if (contacts.kind !== 'done') return contacts
  const hosts = await registry.ensureHosts(order.command.nameservers, 'purchase')
  if (hosts.kind !== 'done') return unmet(hosts, attempt)
  const sent = registry.register(
    {
      domain: order.domain,
      period_years: order.command.period_years,
      nameservers: order.command.nameservers,
      registrant: contacts.value.registrant,
      contacts: contacts.value.contacts,
      auth_info: attempt.auth_info,
      fee: order.command.fee,
    },
    {
      cl_trid: attempt.cl_trid,
      priority: 'purchase',
      at(step) {
        app.reached(step)
        // A session is held and no byte has left: the last moment at which not sending is certain.
        if (step === 'connected' && performance.now() > order.send_by_ms) throw new LeaseOver()
      },
      half_frames: app.settings.crash_at === 'half_frame_written',
    },
  )
  return sent.catch((error) => {
    if (!(error instanceof LeaseOver)) throw error
    return { kind: 'unknown', cause: 'not_sent', message: error.message }
  })
}

/** It took so long to come to the registry that another sender may have begun. */
class LeaseOver extends Error {
  constructor() {
    super('The attempt came too late to be sent; the order is sent again')
  }
}

const roleTypes = { admin: 'admin', technical: 'tech', billing: 'billing' } as const
const otherRoles = ['admin', 'technical', 'billing'] as const

async function putContacts(app: App, sending: Sending): Promise<Outcome<Refs>> {
  const { order, registrar } = sending
  const { registry } = registrar
  const none: Refs = { registrant: null, contacts: [] }
  if (registry.profile.contacts === 'prohibited')
    return { kind: 'done', value: none, sv_trid: null }
  const chosen: Partial<Record<ContactRole, number>> = order.command.contacts
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
    if (put.kind !== 'done') return unmet(put, sending.attempt)
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
 * A refused requirement ends a first attempt: nothing was created. Later it says nothing about what
 * an earlier attempt did or may still do, so the order waits; so it does while the registry still
 * works on the requirement.
 */
function unmet<T>(
  outcome: Exclude<Outcome<T>, { kind: 'done' }>,
  attempt: Attempt,
): Outcome<never> {
  if (outcome.kind === 'unknown') return outcome
  if (outcome.kind === 'refused' && attempt.number === 1) return outcome
  const message = outcome.kind === 'refused' ? outcome.message : 'The registry works on a contact.'
  return { kind: 'unknown', cause: 'server_failed', message }
}
