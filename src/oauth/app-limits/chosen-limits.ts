// The limits that an owner gives an app on the consent page, beside those that it has already.
import { isDeepStrictEqual } from 'node:util'
import type { App } from '../../app.ts'
import {
  changedLimits,
  dnsListSizes,
  type LimitsRow,
  type StoredLimits,
} from '../../capabilities/limits/index.ts'
import { FieldReader } from '../../kit/field-reader.ts'
import { type DnsChoice, type DnsProblem, dnsLimitOf } from './dns-limit.ts'
import { type SpendChoice, spendLimitOf } from './spend-limit.ts'

/** The limits as they were typed. One is null if the app may not do that; its limit then stays. */
export type ChosenLimits = { spend: SpendChoice | null; dns: DnsChoice | null }
export type LimitProblem = 'spend_limit' | DnsProblem
type Registries = Pick<App['registries'], 'idn_exceptions'>
type Fields = Parameters<typeof changedLimits>[2]

/** The first limit that cannot be stored, or null if all can. */
export function problemOfLimits(
  registries: Registries,
  { spend, dns }: ChosenLimits,
): LimitProblem | null {
  const isSound = (fields: Fields) => read(registries, undefined, fields) !== null
  const spend_limit = spend && spendLimitOf(spend)
  if (spend && (!spend_limit || !isSound({ spend_limit }))) return 'spend_limit'
  const { hosts = null, types = null } = (dns && dnsLimitOf(dns)) ?? {}
  if (hosts && (hosts.length > dnsListSizes.hosts || !isSound({ dns: { hosts } })))
    return 'dns_hosts'
  if (types && (types.length > dnsListSizes.types || !isSound({ dns: { types } })))
    return 'dns_types'
  return null
}

/**
 * All limits of the app, or null where there is a problem. `in_person` says that the owner has just
 * logged in. Otherwise a limit of DNS records lets no change of a protected domain pass that waited
 * for the owner before.
 */
export function limitsWith(
  registries: Registries,
  row: LimitsRow | undefined,
  { spend, dns, in_person }: ChosenLimits & { in_person: boolean },
): StoredLimits | null {
  if (problemOfLimits(registries, { spend, dns })) return null
  const spend_limit = spend && spendLimitOf(spend)
  const limits = read(registries, row, {
    ...(spend_limit && { spend_limit }),
    ...(dns && { dns: dnsLimitOf(dns) }),
  })
  if (!limits || !dns || in_person || limits.dns_in_person === null) return limits
  const isSame = row !== undefined && isDeepStrictEqual(listsOf(row), listsOf(limits))
  return { ...limits, dns_in_person: isSame && row.dns_in_person === true }
}

function listsOf({ dns_hosts, dns_types }: Pick<StoredLimits, 'dns_hosts' | 'dns_types'>) {
  return { dns_hosts, dns_types }
}

function read(
  { idn_exceptions }: Registries,
  row: LimitsRow | undefined,
  fields: Fields,
): StoredLimits | null {
  const reader = new FieldReader()
  const limits = changedLimits({ reader, idn_exceptions, in_person: true }, row, fields)
  return reader.isSound ? limits : null
}
