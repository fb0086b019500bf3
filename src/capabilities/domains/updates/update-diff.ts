// The update to send: the difference between the wanted state and the registry's.
// Pure.

import type { Glue, RegistryDomain, UpdateCommand } from '../../../adapters/registry/port.ts'
import { parseIp } from '../../../kit/net/ip.ts'
import { isBelow } from '../names.ts'

/** The wanted state; fields that are left out stay unchanged. Hosts are lower-case A-labels. */
export type DesiredState = {
  nameservers?: readonly string[]
  /** Addresses of name servers below the domain; one that is left out keeps those it has. */
  glue?: Glue
  locked?: boolean
}

/** The registry's state; `glue`: of its own hosts, objects or attributes. */
export type ShownDomain = Pick<RegistryDomain, 'nameservers' | 'epp_statuses'> & { glue: Glue }
export type Difference = Omit<UpdateCommand, 'domain' | 'auth_info'>

export const lockStatus = 'clientTransferProhibited'

/** Null when there is nothing to send. Never adds what is there, nor removes what is not. */
export function differenceOf(desired: DesiredState, shown: ShownDomain): Difference | null {
  const nameservers = nameserverDifference(desired, shown)
  const statuses = lockDifference(desired, shown)
  if (!nameservers && !statuses) return null
  return { ...(nameservers && { nameservers }), ...(statuses && { statuses }) }
}

function nameserverDifference(
  { nameservers, glue = {} }: DesiredState,
  shown: ShownDomain,
): Difference['nameservers'] | null {
  if (!nameservers) return null
  const add = nameservers.filter((host) => !shown.nameservers.includes(host))
  const remove = shown.nameservers.filter((host) => !nameservers.includes(host))
  const moved = Object.entries(glue).filter(([host, addresses]) => {
    return !sameAddresses(addresses, addressesOf(shown.glue, host))
  })
  const sent = Object.entries(glue).filter(([host]) => {
    return add.includes(host) || moved.some(([other]) => other === host)
  })
  if (add.length === 0 && remove.length === 0 && moved.length === 0) return null
  return { add, remove, glue: Object.fromEntries(sent) }
}

function lockDifference(
  { locked }: DesiredState,
  shown: ShownDomain,
): Difference['statuses'] | null {
  const is = shown.epp_statuses.includes(lockStatus)
  if (locked === undefined || locked === is) return null
  return locked ? { add: [lockStatus], remove: [] } : { add: [], remove: [lockStatus] }
}

function addressesOf(glue: Glue, host: string): readonly string[] {
  return Object.hasOwn(glue, host) ? (glue[host] ?? []) : []
}

function sameAddresses(a: readonly string[], b: readonly string[]): boolean {
  const text = (addresses: readonly string[]) =>
    [...new Set(addresses.map((address) => parseIp(address) ?? address))].sort().join(' ')
  return text(a) === text(b)
}

/** Wanted name servers below the domain of which no address is known. */
export function hostsWithoutGlue(
  domain: string,
  desired: DesiredState,
  shown: ShownDomain,
): string[] {
  const below = (desired.nameservers ?? []).filter((host) => isBelow(domain, host))
  return below.filter(
    (host) =>
      addressesOf(desired.glue ?? {}, host).length === 0 &&
      addressesOf(shown.glue, host).length === 0,
  )
}

type Statuses = Pick<RegistryDomain, 'epp_statuses' | 'rgp_statuses'>

/** RFC 5731 section 2.3: under these no update is taken. */
const forbidding = [
  'pendingCreate',
  'pendingDelete',
  'pendingTransfer',
  'pendingUpdate',
  'clientUpdateProhibited',
  'serverUpdateProhibited',
]
/** RFC 3915 section 3.1: a name on its way out can only be restored. */
const leaving = ['redemptionPeriod', 'pendingRestore', 'pendingDelete']

/** The status that stands against any change, or undefined. */
export function forbiddingStatus({ epp_statuses, rgp_statuses }: Statuses): string | undefined {
  return (
    rgp_statuses.find((status) => leaving.includes(status)) ??
    epp_statuses.find((status) => forbidding.includes(status))
  )
}
