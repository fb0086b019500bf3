// Ends of a transfer: its completion or abandonment, and the poll messages to both registrars.

import { addYears, DAY_MS, dateTime } from '../../support/sandbox-clock.ts'
import { DOMAIN } from '../protocol/namespaces.ts'
import { graceOf, liveGraces, refund } from './grace-periods.ts'
import { priceOf } from './prices.ts'
import { MAX_YEARS } from './profiles.ts'
import type { Domain, Transfer, TransferStatus } from './records.ts'
import type { Registry } from './registry.ts'

const TRANSFER_DAYS = 5
export const TRANSFER_MS = TRANSFER_DAYS * DAY_MS

/** The element domain:trnData of a transfer. */
export function transferData(name: string, transfer: Transfer, expires_at: number | null): string {
  const expiry = expires_at === null ? '' : `<domain:exDate>${dateTime(expires_at)}</domain:exDate>`
  return (
    `<domain:trnData xmlns:domain="${DOMAIN}"><domain:name>${name}</domain:name>` +
    `<domain:trStatus>${transfer.status}</domain:trStatus>` +
    `<domain:reID>${transfer.gaining}</domain:reID>` +
    `<domain:reDate>${dateTime(transfer.requested_at)}</domain:reDate>` +
    `<domain:acID>${transfer.losing}</domain:acID>` +
    `<domain:acDate>${dateTime(transfer.acts_at)}</domain:acDate>${expiry}</domain:trnData>`
  )
}

/** The expiry plus the years of a transfer, limited to ten years from now. */
export function transferExpiry({ settings }: Registry, domain: Domain, at: number): number {
  // RFC 3915 section 3.1: a transfer in the auto-renew grace replaces the added year.
  const auto = liveGraces(domain, at).filter((grace) => grace.kind === 'auto_renew').length
  return Math.min(
    addYears(domain.expires_at, settings.transfer_years - auto),
    addYears(at, MAX_YEARS),
  )
}

/** Moves the domain, bills the gaining registrar and notifies both. */
export function completeTransfer(
  registry: Registry,
  domain: Domain,
  end: { status: 'clientApproved' | 'serverApproved'; at: number },
): Domain {
  const pending = domain.transfer
  if (pending === null) throw new Error(`${domain.name} has no transfer`)
  const transfer = { ...pending, status: end.status, acts_at: end.at }
  const expires_at = transferExpiry(registry, domain, end.at)
  for (const grace of liveGraces(domain, end.at)) {
    if (grace.kind === 'auto_renew') refund(registry, grace, { at: end.at, cl_trid: null })
  }
  const { cents } = priceOf(registry, domain.name, { kind: 'transfer', years: 1 })
  const effect = registry.charge({
    registrar: transfer.gaining,
    kind: 'transfer',
    domain: domain.name,
    years: registry.settings.transfer_years,
    cents,
    at: end.at,
    cl_trid: transfer.cl_trid,
  })
  const moved: Domain = {
    ...domain,
    sponsor: transfer.gaining,
    updater: transfer.gaining,
    updated_at: end.at,
    transferred_at: end.at,
    expires_at,
    graces: [graceOf('transfer', end.at, { effect, years: registry.settings.transfer_years })],
    transfer,
  }
  registry.domains.put(domain.name, moved)
  for (const host of registry.subordinates.get(domain.name) ?? []) {
    const row = registry.hosts.get(host)
    if (row !== undefined) registry.hosts.put(host, { ...row, sponsor: transfer.gaining })
  }
  notifyTransfer(registry, moved, [transfer.gaining, transfer.losing])
  return moved
}

/** The element, or nothing where the registry shows no expiry. */
export function shownExpiry({ settings }: Registry, { expires_at }: Domain): number | null {
  return settings.hides_expiry ? null : expires_at
}

/** Ends a pending transfer without moving the domain. */
export function abandonTransfer(
  registry: Registry,
  domain: Domain,
  end: { status: 'clientRejected' | 'clientCancelled'; at: number },
): Domain {
  const pending = domain.transfer
  if (pending === null) throw new Error(`${domain.name} has no transfer`)
  const transfer = { ...pending, status: end.status, acts_at: end.at }
  const kept: Domain = { ...domain, transfer }
  registry.domains.put(domain.name, kept)
  notifyTransfer(registry, kept, [
    end.status === 'clientRejected' ? transfer.gaining : transfer.losing,
  ])
  return kept
}

const MESSAGES: Record<TransferStatus, string> = {
  pending: 'Transfer requested.',
  clientApproved: 'Transfer approved.',
  serverApproved: 'Transfer approved by the registry.',
  clientRejected: 'Transfer rejected.',
  clientCancelled: 'Transfer cancelled.',
}

/** Notifies registrars of the transfer's status, through their poll queues. */
export function notifyTransfer(registry: Registry, domain: Domain, registrars: string[]): void {
  const { transfer } = domain
  if (transfer === null) throw new Error(`${domain.name} has no transfer`)
  const done = transfer.status === 'clientApproved' || transfer.status === 'serverApproved'
  const data = transferData(domain.name, transfer, done ? shownExpiry(registry, domain) : null)
  const at = transfer.status === 'pending' ? transfer.requested_at : transfer.acts_at
  for (const registrar of registrars) {
    registry.notify(registrar, { at, text: MESSAGES[transfer.status], data })
  }
}
