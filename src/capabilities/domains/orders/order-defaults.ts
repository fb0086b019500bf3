// Name servers and contacts of a purchase: what the request names, else the account's, else the
// service's.

import type { HostRules, Registry } from '../../../adapters/registry/port.ts'
import type { App, Call } from '../../../app.ts'
import { InvalidInput } from '../../../kit/fault.ts'
import { defaultNameserversOf } from '../../account/index.ts'
import { type ContactRole, chosenContacts, contactRoles } from '../../contacts/index.ts'
import { registrantRequired } from '../faults.ts'
import { type Nameservers, readNameservers } from '../updates/nameservers-input.ts'
import { hostsWithoutGlue, isBelow } from '../updates/update-diff.ts'
import { glueRequired } from '../updates/update-faults.ts'
import type { RegisterOrder } from './order.ts'

export type Wishes = {
  nameservers?: string[]
  glue?: Record<string, string[]>
  contacts?: Partial<Record<ContactRole, number>>
  contact?: number | string | null
}
/** The name that is bought, and the registry that sells it. */
export type Sought = { domain: string; registry: Registry }
export type Choice = Pick<RegisterOrder, 'nameservers' | 'glue' | 'after_create' | 'contacts'>

/**
 * For a registration. Throws 422 for a name server, address or contact that is not one, 409
 * registrant_required without a registrant, 409 glue_required for a name server below the name
 * without an address.
 */
export async function choose(
  app: App,
  call: Call,
  { wishes, ...sought }: Sought & { wishes: Wishes },
): Promise<Choice> {
  const [delegation, contacts] = await Promise.all([
    chooseNameservers(app, call, { wishes, ...sought }),
    chooseContacts(call, wishes, sought.registry),
  ])
  return { ...delegation, contacts }
}

async function chooseNameservers(
  app: App,
  call: Call,
  { wishes, domain, registry }: Sought & { wishes: Wishes },
): Promise<Pick<Choice, 'nameservers' | 'glue' | 'after_create'>> {
  const named = namedNameservers(domain, wishes, registry.hosts)
  const { nameservers, glue } = named ?? { nameservers: await defaults(app, call), glue: {} }
  // Nobody has had the name before, so nothing is known of hosts below it.
  const shown = { nameservers: [], epp_statuses: [], glue: {} }
  refuseWithoutGlue(hostsWithoutGlue(domain, { nameservers, glue }, shown))
  const own = nameservers.filter((host) => isBelow(domain, host))
  if (own.length === 0) return { nameservers }
  const after_create = registry.hosts.own_hosts_later ? { after_create: own } : {}
  return { nameservers, glue: mutable(glue), ...after_create }
}

async function defaults(app: App, call: Call): Promise<string[]> {
  const account = await defaultNameserversOf(call.sql, call.customer_id)
  return account.length > 0 ? account : app.settings.default_nameservers
}

/** Those that the request names, with their addresses; undefined when it names none. */
export function namedNameservers(
  domain: string,
  wishes: Wishes,
  { one_address_of_a_kind }: HostRules,
): Nameservers | undefined {
  const named = readNameservers(domain, wishes)
  if (!named || !one_address_of_a_kind) return named
  const full = Object.entries(named.glue).filter(([, addresses]) => hasMore(addresses))
  const msg = 'The registry keeps one IPv4 and one IPv6 address of a host'
  if (full.length === 0) return named
  throw new InvalidInput(full.map(([host]) => ({ path: ['glue', host], msg, type: 'too_long' })))
}

/** More addresses of a host than one of each kind. */
export function hasMore(addresses: readonly string[]): boolean {
  const ipv6 = addresses.filter((address) => address.includes(':')).length
  return ipv6 > 1 || addresses.length - ipv6 > 1
}

/** 409 glue_required that names the hosts, when there are any. */
export function refuseWithoutGlue(hosts: readonly string[]): void {
  if (hosts.length === 0) return
  throw glueRequired({ detail: `No address is known of ${hosts.join(', ')}.`, facts: { hosts } })
}

export function mutable(glue: Nameservers['glue']): Record<string, string[]> {
  return Object.fromEntries(Object.entries(glue).map(([host, all]) => [host, [...all]]))
}

/** A role that nobody is named for is the registrant's, where the registry wants the role. */
export async function chooseContacts(
  call: Call,
  wishes: Wishes,
  { profile }: Registry,
): Promise<Choice['contacts']> {
  const { named, defaults } = await chosenContacts(call.sql, call.customer_id, wishes)
  const chosen: Choice['contacts'] = {}
  for (const role of contactRoles) {
    const id = named[role] ?? defaults[role]
    if (id !== undefined) chosen[role] = id
  }
  const { registrant } = chosen
  if (registrant === undefined) throw registrantRequired()
  for (const role of profile.contact_roles) chosen[role] ??= registrant
  return chosen
}
