// Objects that a purchase needs at the registry: contact objects and host objects. Both may be sent
// again.

import { contactCreate, contactUpdate } from '../../../epp/commands/contact.ts'
import { domainInfo } from '../../../epp/commands/domain-query.ts'
import {
  hostCheck,
  hostCreate,
  hostDelete,
  hostInfo,
  hostUpdate,
} from '../../../epp/commands/host.ts'
import { parseIp } from '../../../kit/net/ip.ts'
import type { DomainName } from '../../../kit/random.ts'
import type { Glue, Outcome, Priority, Registry, RegistryContact, Sending } from '../port.ts'
import { type Link, mapDone } from './epp-connection.ts'

/**
 * 2302 on a contact means that an earlier attempt succeeded, or that its facts have changed since.
 * Both end the same way.
 */
async function putContact(
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

const done: Outcome<null> = { kind: 'done', value: null, sv_trid: null }

type Wanted = { names: string[]; glue: ReadonlyMap<string, readonly string[]> }

async function ensureSome(
  link: Link,
  { names, glue }: Wanted,
  how: Sending,
): Promise<Outcome<null>> {
  const checked = await link.send(hostCheck, { names }, how)
  if (checked.kind !== 'done') return checked
  for (const name of names) {
    const addresses = glue.get(name)
    const there = checked.value.get(name)?.available === false
    const made = there ? null : await createHost(link, { name, addresses }, how)
    if (made && made.kind !== 'done') return made
    const set = there && addresses ? await setAddresses(link, { name, addresses }, how) : done
    if (set.kind !== 'done') return named(name, set)
  }
  return { kind: 'done', value: null, sv_trid: checked.sv_trid }
}

type Host = { name: string; addresses: readonly string[] | undefined }

async function createHost(
  link: Link,
  { name, addresses = [] }: Host,
  how: Sending,
): Promise<Outcome<null>> {
  const made = await link.send(hostCreate, { name, addresses }, how)
  // Another registrar may have created it in between. Hosts are shared, so that counts as success.
  // A host with addresses is below a domain of ours, so it may be one that we made and whose answer
  // was lost.
  if (made.kind !== 'refused' || made.reason !== 'exists') return named(name, made)
  return addresses.length > 0 ? setAddresses(link, { name, addresses }, how) : done
}

async function setAddresses(
  link: Link,
  { name, addresses }: { name: string; addresses: readonly string[] },
  how: Sending,
): Promise<Outcome<null>> {
  const shown = await link.send(hostInfo, { name }, how)
  if (shown.kind !== 'done') return shown
  const before = shown.value.addresses.map(sameText)
  const after = addresses.map(sameText)
  const add = after.filter((address) => !before.includes(address))
  const remove = shown.value.addresses.filter((address) => !after.includes(sameText(address)))
  if (add.length === 0 && remove.length === 0) return done
  return link.send(hostUpdate, { name, add, remove, new_name: null }, how)
}

/** IPv6 has many texts for the same address. */
function sameText(address: string): string {
  return parseIp(address) ?? address
}

/** A refusal that says which host it concerns. */
function named<T>(name: string, outcome: Outcome<T>): Outcome<T> {
  if (outcome.kind !== 'refused') return outcome
  return { ...outcome, message: `${name}: ${outcome.message}` }
}

/** The first host that cannot be made decides the outcome. */
async function ensureHosts(
  link: Link,
  { hosts, glue }: { hosts: string[]; glue: Glue },
  how: Sending,
): Promise<Outcome<null>> {
  if (link.profile.host_model === 'hostAttr' || hosts.length === 0) return done
  const names = [...new Set(hosts.map((host) => host.toLowerCase()))]
  const size = link.profile.names_per_check
  let last = done
  for (let at = 0; at < names.length && last.kind === 'done'; at += size) {
    const wanted = { names: names.slice(at, at + size), glue: new Map(Object.entries(glue)) }
    last = await ensureSome(link, wanted, how)
  }
  return last
}

/** RFC 5732 section 3.2.2: a host that a domain uses is not deleted (2305). */
async function deleteHosts(
  link: Link,
  domain: DomainName,
  priority: Priority,
): Promise<Outcome<null>> {
  if (link.profile.host_model === 'hostAttr') return done
  const shown = await link.send(domainInfo, { name: domain, auth_info: null }, { priority })
  if (shown.kind !== 'done') return shown
  for (const name of shown.value.subordinates) {
    const deleted = await link.send(hostDelete, { name }, { priority })
    const gone = deleted.kind === 'refused' && deleted.reason === 'absent'
    // This also applies while it is accepted (1001), because the host still prevents deleting the
    // domain.
    if (deleted.kind !== 'done' && !gone) return named(name, deleted)
  }
  return done
}

/** Hosts that do not exist, or are attributes, are left out. */
async function readGlue(link: Link, hosts: string[], priority: Priority): Promise<Outcome<Glue>> {
  const known: [string, string[]][] = []
  if (link.profile.host_model === 'hostObj') {
    for (const name of hosts) {
      const shown = await link.send(hostInfo, { name }, { priority })
      if (shown.kind === 'done') known.push([name, shown.value.addresses])
      else if (shown.kind !== 'refused' || shown.reason !== 'absent') return shown
    }
  }
  return { kind: 'done', value: Object.fromEntries(known), sv_trid: null }
}

/** The members of a registry that are commands on contact and host objects. */
export function objectCommands(link: Link) {
  return {
    putContact: (contact, priority) => putContact(link, contact, priority),
    ensureHosts: (hosts, how, glue = {}) =>
      ensureHosts(link, { hosts, glue }, typeof how === 'string' ? { priority: how } : how),
    deleteHosts: (domain, priority) => deleteHosts(link, domain, priority),
    readGlue: (hosts, priority) => readGlue(link, hosts, priority),
  } satisfies Partial<Registry>
}
