// What a purchase needs at the registry beforehand: contact objects and host objects. Both may be
// repeated.
import { contactCreate } from '../../epp/commands/contact-create.ts'
import { contactUpdate } from '../../epp/commands/contact-update.ts'
import { hostCheck } from '../../epp/commands/host-check.ts'
import { hostCreate } from '../../epp/commands/host-create.ts'
import { type Link, mapDone } from './epp-link.ts'
import type { Outcome, Priority, RegistryContact } from './port.ts'

/**
 * 2302 on a contact means that an earlier try got through, or that its facts have changed since:
 * same end.
 */
export async function putContact(
  link: Link,
  contact: RegistryContact,
  priority: Priority,
): Promise<Outcome<{ id: string }>> {
  const created = await link.send(contactCreate, contact, { priority })
  if (created.kind !== 'refused' || created.reason !== 'exists') {
    return mapDone(created, () => ({ id: contact.id }))
  }
  const updated = await link.send(contactUpdate, contact, { priority })
  return mapDone(updated, () => ({ id: contact.id }))
}

async function ensureSome(link: Link, names: string[], priority: Priority): Promise<Outcome<null>> {
  const checked = await link.send(hostCheck, { names }, { priority })
  if (checked.kind !== 'done') return checked
  const missing = names.filter((name) => checked.value.get(name)?.available !== false)
  for (const name of missing) {
    const made = await link.send(hostCreate, { name, addresses: [] }, { priority })
    // Somebody else may have made it in between; hosts are shared, so that is as good.
    const there = made.kind === 'refused' && made.reason === 'exists'
    if (made.kind !== 'done' && !there) return made
  }
  return { kind: 'done', value: null, sv_trid: checked.sv_trid }
}

/** The first host that cannot be made decides the outcome. */
export async function ensureHosts(
  link: Link,
  hosts: string[],
  priority: Priority,
): Promise<Outcome<null>> {
  if (link.profile.host_model === 'hostAttr' || hosts.length === 0) {
    return { kind: 'done', value: null, sv_trid: null }
  }
  const names = [...new Set(hosts.map((host) => host.toLowerCase()))]
  const size = link.profile.names_per_check
  let last: Outcome<null> = { kind: 'done', value: null, sv_trid: null }
  for (let at = 0; at < names.length && last.kind === 'done'; at += size) {
    last = await ensureSome(link, names.slice(at, at + size), priority)
  }
  return last
}
