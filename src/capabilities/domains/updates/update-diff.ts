// The update to send, which is the difference between the wanted state and the registry's. Pure.

import type { Glue, RegistryDomain, UpdateCommand } from '../../../adapters/registry/port.ts'
import { parseIp } from '../../../kit/net/ip.ts'
import type { DomainName } from '../../../kit/random.ts'
import { isWithin } from '../names.ts'

/** The wanted state; fields that are left out stay unchanged. Hosts are lower-case A-labels. */
export type DesiredState = {
  nameservers?: readonly string[]
  /** The addresses of name servers within the domain; a server that is left out keeps its own. */
  glue?: Glue
  locked?: boolean
  /** Whether to remove the client statuses that others left (`leftByOthers`). */
  cleared?: true
}

/**
 * The registry's state. `glue` has the addresses of its own hosts, whether objects or attributes;
 * `lift_hold_at` is when we set a hold.
 */
export type ShownDomain = Pick<RegistryDomain, 'nameservers' | 'epp_statuses'> & {
  glue: Glue
  lift_hold_at: Date | null
}
export type Difference = Omit<UpdateCommand, 'domain' | 'auth_info'>

export const lockStatus = 'clientTransferProhibited'

/** Under this status the registry takes no update except its removal (RFC 5731 section 2.3). */
const updateProhibited = 'clientUpdateProhibited'
const clientStatuses = [
  updateProhibited,
  'clientDeleteProhibited',
  'clientRenewProhibited',
  'clientHold',
]

/**
 * Client statuses besides the lock that a former registrar or someone behind the service left. We
 * set none of them, except our hold of an unpaid domain.
 */
export function leftByOthers({
  epp_statuses,
  lift_hold_at,
}: Pick<ShownDomain, 'epp_statuses' | 'lift_hold_at'>): string[] {
  const isOurs = (status: string) => status === 'clientHold' && lift_hold_at !== null
  return clientStatuses.filter((status) => epp_statuses.includes(status) && !isOurs(status))
}

/**
 * The difference, or null if there is nothing to send. It adds only what is missing, and removes
 * only what exists. The prohibition of updates is removed alone, before all else.
 */
export function differenceOf(desired: DesiredState, shown: ShownDomain): Difference | null {
  const left = desired.cleared ? leftByOthers(shown) : []
  if (left.includes(updateProhibited)) return { statuses: { add: [], remove: [updateProhibited] } }
  const nameservers = nameserverDifference(desired, shown)
  const lock = lockDifference(desired, shown)
  const removed = [...(lock?.remove ?? []), ...left]
  const isChanged = lock !== null || left.length > 0
  const statuses = isChanged ? { add: lock?.add ?? [], remove: removed } : null
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

/** The wanted name servers within the domain without a known address. */
export function hostsWithoutGlue(
  domain: DomainName,
  desired: DesiredState,
  shown: Pick<ShownDomain, 'glue'>,
): string[] {
  const below = (desired.nameservers ?? []).filter((host) => isWithin(domain, host))
  return below.filter(
    (host) =>
      addressesOf(desired.glue ?? {}, host).length === 0 &&
      addressesOf(shown.glue, host).length === 0,
  )
}

type Statuses = Pick<RegistryDomain, 'epp_statuses' | 'rgp_statuses'>

/** Under these statuses a registry takes no update (RFC 5731 section 2.3). */
const forbidding = [
  'pendingCreate',
  'pendingDelete',
  'pendingTransfer',
  'pendingUpdate',
  'clientUpdateProhibited',
  'serverUpdateProhibited',
]
/** A name with these statuses can only be restored (RFC 3915 section 3.1). */
const leaving = ['redemptionPeriod', 'pendingRestore', 'pendingDelete']

/**
 * The status that prevents any change, or undefined. One of the registry comes before one of the
 * registrar, which an unlock removes.
 */
export function forbiddingStatus({ epp_statuses, rgp_statuses }: Statuses): string | undefined {
  const found = epp_statuses.filter((status) => forbidding.includes(status))
  return (
    rgp_statuses.find((status) => leaving.includes(status)) ??
    found.find((status) => status !== updateProhibited) ??
    found[0]
  )
}

/** The state without the prohibition that the update removes (RFC 5731 section 2.3). */
export function withoutUpdateProhibition<S extends Statuses>(shown: S): S {
  const epp_statuses = shown.epp_statuses.filter((status) => status !== updateProhibited)
  return { ...shown, epp_statuses }
}
