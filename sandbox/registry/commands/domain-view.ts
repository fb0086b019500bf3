// Presenters of a domain: statuses, the info response, JSON for the control plane.

import { dateTime } from '../../support/sandbox-clock.ts'
import { liveGraces } from '../model/grace-periods.ts'
import type { Address, Domain, Grace } from '../model/records.ts'
import type { Registry } from '../model/registry.ts'
import { DOMAIN, RGP, SEC_DNS } from '../protocol/namespaces.ts'
import { escapeXml } from '../protocol/xml.ts'

/** The statuses of RFC 5731 section 2.3 as they are shown; ok and inactive are never stored. */
function shownStatuses(domain: Domain): string[] {
  const shown = [...domain.statuses]
  if (domain.nameservers.length === 0) shown.push('inactive')
  if (domain.phase !== 'active') shown.push('pendingDelete')
  if (domain.transfer?.status === 'pending') shown.push('pendingTransfer')
  return shown.length === 0 ? ['ok'] : shown
}

const GRACE_STATUS: Record<Grace['kind'], string> = {
  add: 'addPeriod',
  renew: 'renewPeriod',
  auto_renew: 'autoRenewPeriod',
  transfer: 'transferPeriod',
}

/** The grace period statuses of RFC 3915, the most specific first. */
function shownRgp(domain: Domain, now: number): string[] {
  if (domain.phase === 'redemption') return ['redemptionPeriod']
  if (domain.phase === 'pending_restore') return ['pendingRestore']
  if (domain.phase === 'pending_delete') return ['pendingDelete']
  const kinds = liveGraces(domain, now).map((grace) => GRACE_STATUS[grace.kind])
  return [...new Set(kinds.reverse())]
}

export function renderAddresses(addresses: Address[], element: string): string {
  return addresses
    .map(({ ip, address }) => `<${element} ip="${ip}">${address}</${element}>`)
    .join('')
}

function renderNameservers(domain: Domain, model: string): string {
  if (domain.nameservers.length === 0) return ''
  const each = domain.nameservers.map(({ name, addresses }) =>
    model === 'hostObj'
      ? `<domain:hostObj>${name}</domain:hostObj>`
      : `<domain:hostAttr><domain:hostName>${name}</domain:hostName>` +
        `${renderAddresses(addresses, 'domain:hostAddr')}</domain:hostAttr>`,
  )
  return `<domain:ns>${each.join('')}</domain:ns>`
}

/** The element domain:exDate, if the registry shows one. */
export function renderExpiry({ settings }: Registry, expires_at: number): string {
  return settings.hides_expiry ? '' : `<domain:exDate>${dateTime(expires_at)}</domain:exDate>`
}

/** The element domain:infData (RFC 5731 section 3.1.2); `hosts` is all, del, sub or none. */
export function renderInfo(
  registry: Registry,
  domain: Domain,
  show: { hosts: string; auth: boolean },
): string {
  const tag = (name: string, text: string | null): string =>
    text === null ? '' : `<domain:${name}>${escapeXml(text)}</domain:${name}>`
  const day = (name: string, time: number | null): string =>
    tag(name, time === null ? null : dateTime(time))
  const statuses = shownStatuses(domain).map((status) => `<domain:status s="${status}"/>`)
  const contacts = domain.contacts.map(
    ({ type, id }) => `<domain:contact type="${type}">${escapeXml(id)}</domain:contact>`,
  )
  const delegated = show.hosts === 'all' || show.hosts === 'del'
  const below = show.hosts === 'all' || show.hosts === 'sub'
  const hosts = below ? [...(registry.subordinates.get(domain.name) ?? [])] : []
  return (
    `<domain:infData xmlns:domain="${DOMAIN}">${tag('name', domain.name)}` +
    `${tag('roid', domain.roid)}${statuses.join('')}${tag('registrant', domain.registrant)}` +
    contacts.join('') +
    (delegated ? renderNameservers(domain, registry.profile.host_model) : '') +
    hosts.map((host) => tag('host', host)).join('') +
    `${tag('clID', domain.sponsor)}${tag('crID', domain.creator)}` +
    `${day('crDate', domain.created_at)}${tag('upID', domain.updater)}` +
    `${day('upDate', domain.updated_at)}${renderExpiry(registry, domain.expires_at)}` +
    (registry.settings.hides_transfer_date ? '' : day('trDate', domain.transferred_at)) +
    (show.auth
      ? `<domain:authInfo><domain:pw>${escapeXml(domain.auth_info)}</domain:pw></domain:authInfo>`
      : '') +
    '</domain:infData>'
  )
}

/** The element rgp:infData. rgp-1.0 allows one status, so the most specific one is shown. */
export function renderRgp(domain: Domain, now: number): string {
  const [status] = shownRgp(domain, now)
  if (status === undefined) return ''
  return `<rgp:infData xmlns:rgp="${RGP}"><rgp:rgpStatus s="${status}"/></rgp:infData>`
}

export function renderSecDns(domain: Domain): string {
  if (domain.ds.length === 0) return ''
  const records = domain.ds.map(
    (ds) =>
      `<secDNS:dsData><secDNS:keyTag>${ds.key_tag}</secDNS:keyTag>` +
      `<secDNS:alg>${ds.alg}</secDNS:alg><secDNS:digestType>${ds.digest_type}</secDNS:digestType>` +
      `<secDNS:digest>${ds.digest}</secDNS:digest></secDNS:dsData>`,
  )
  return `<secDNS:infData xmlns:secDNS="${SEC_DNS}">${records.join('')}</secDNS:infData>`
}

/** A domain as JSON: the registry state, for tests and the control plane. */
export type DomainView = {
  registry: string
  domain: string
  roid: string
  sponsor: string
  created_at: string
  updated_at: string | null
  expires_at: string
  transferred_at: string | null
  epp_statuses: string[]
  rgp_statuses: string[]
  nameservers: string[]
  registrant: string | null
  contacts: { type: string; id: string }[]
  auth_info: string
  transfer: { status: string; gaining: string; losing: string; requested_at: string } | null
}

export function viewDomain(registry: Registry, domain: Domain): DomainView {
  const day = (time: number | null): string | null => (time === null ? null : dateTime(time))
  const { transfer } = domain
  return {
    registry: registry.profile.name,
    domain: domain.name,
    roid: domain.roid,
    sponsor: domain.sponsor,
    created_at: dateTime(domain.created_at),
    updated_at: day(domain.updated_at),
    expires_at: dateTime(domain.expires_at),
    transferred_at: day(domain.transferred_at),
    epp_statuses: shownStatuses(domain),
    rgp_statuses: shownRgp(domain, registry.clock.now()),
    nameservers: domain.nameservers.map(({ name }) => name),
    registrant: domain.registrant,
    contacts: domain.contacts,
    auth_info: domain.auth_info,
    transfer:
      transfer === null
        ? null
        : {
            status: transfer.status,
            gaining: transfer.gaining,
            losing: transfer.losing,
            requested_at: dateTime(transfer.requested_at),
          },
  }
}
