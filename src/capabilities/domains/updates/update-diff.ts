// The update to send: the difference between the wanted state and the registry's.
// Pure.

import type { Glue, RegistryDomain, UpdateCommand } from '../../../adapters/registry/port.ts'
import { parseIp } from '../../../kit/net/ip.ts'
import { isWithin } from '../names.ts'

/** The wanted state; fields that are left out stay unchanged. Hosts are lower-case A-labels. */
export type DesiredState = {
  nameservers?: readonly string[]
  /** Addresses of name servers within the domain; one that is left out keeps those it has. */
  glue?: Glue
  locked?: boolean
  /** Without the client statuses that others left (`leftByOthers`). */
  cleared?: true
}

/**
 * The registry's state; `glue`: of its own hosts, objects or attributes; `lift_hold_at`: when we
 * set a hold.
 */
export type ShownDomain = Pick<RegistryDomain, 'nameservers' | 'epp_statuses'> & {
  glue: Glue
  lift_hold_at: Date | null
}
export type Difference = Omit<UpdateCommand, 'domain' | 'auth_info'>

export const lockStatus = 'clientTransferProhibited'

/** Under it the registry takes no update but its removal (RFC 5731 section 2.3). */
const updateProhibited = 'clientUpdateProhibited'
const clientStatuses = [
  updateProhibited,
  'clientDeleteProhibited',
  'clientRenewProhibited',
  'clientHold',
]

/**
 * Client statuses beside the lock that a former registrar left, or somebody behind the service: we
 * set none of them, but for our hold of an unpaid domain.
 */
export function leftByOthers({
  epp_statuses,
  lift_hold_at,
}: Pick<ShownDomain, 'epp_statuses' | 'lift_hold_at'>): string[] {
  const isOurs = (status: string) => status === 'clientHold' && lift_hold_at !== null
  return clientStatuses.filter((status) => epp_statuses.includes(status) && !isOurs(status))
}

/**
 * Null when there is nothing to send. Never adds what is there, nor removes what is not. The
 * prohibition of updates goes alone, before all else.
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

/** Wanted name servers within the domain of which no address is known. */
export function hostsWithoutGlue(
  domain: string,
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

/**
 * The status that stands against any change, or undefined: one of the registry before one of the
 * registrar's, which an unlock takes off.
 */
export function forbiddingStatus({ epp_statuses, rgp_statuses }: Statuses): string | undefined {
  const found = epp_statuses.filter((status) => forbidding.includes(status))
  return (
    rgp_statuses.find((status) => leaving.includes(status)) ??
    found.find((status) => status !== updateProhibited) ??
    found[0]
  )
}

/** RFC 5731 section 2.3: what is sent removes it. */
export function withoutUpdateProhibition<S extends Statuses>(shown: S): S {
  const epp_statuses = shown.epp_statuses.filter((status) => status !== updateProhibited)
  return { ...shown, epp_statuses }
}
