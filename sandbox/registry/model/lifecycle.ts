// Transitions of a domain by time: auto-renew, redemption, deletion, transfer approval.

import { addYears, DAY_MS, dateTime } from '../../support/sandbox-clock.ts'
import { DOMAIN, EPP } from '../protocol/namespaces.ts'
import { escapeXml } from '../protocol/xml.ts'
import { graceOf, liveGraces } from './grace-periods.ts'
import { priceOf } from './prices.ts'
import type { Domain } from './records.ts'
import { dueAt, type Registry } from './registry.ts'
import { completeTransfer } from './transfers.ts'

export const REDEMPTION_DAYS = 30
const PENDING_DELETE_DAYS = 5
/** A restore without its report within this time returns to redemption (RFC 3915 section 2). */
export const RESTORE_REPORT_DAYS = 7

/** Applies all due transitions and makes them durable. It is cheap when none is due. */
export function settleDue(registry: Registry): void {
  const now = registry.clock.now()
  if (now < registry.next_due) return
  registry.next_due = Number.POSITIVE_INFINITY
  for (const domain of [...registry.domains.values()]) settleDomain(registry, domain, now)
  registry.store.commit()
}

function settleDomain(registry: Registry, domain: Domain, now: number): void {
  let current: Domain | undefined = domain
  while (current !== undefined && dueAt(current) <= now) {
    step(registry, current)
    current = registry.domains.get(domain.name)
  }
  if (current !== undefined) registry.next_due = Math.min(registry.next_due, dueAt(current))
}

/** The next transition of a domain, at the time it was due. */
function step(registry: Registry, domain: Domain): void {
  const at = dueAt(domain)
  if (domain.transfer?.status === 'pending' && domain.transfer.acts_at === at) {
    completeTransfer(registry, domain, { status: 'serverApproved', at })
    return
  }
  switch (domain.phase) {
    case 'active':
      autoRenew(registry, domain, at)
      return
    case 'pending_restore':
      registry.domains.put(
        domain.name,
        inPhase(domain, 'redemption', at + REDEMPTION_DAYS * DAY_MS),
      )
      return
    case 'redemption':
      registry.domains.put(
        domain.name,
        inPhase(domain, 'pending_delete', at + PENDING_DELETE_DAYS * DAY_MS),
      )
      return
    case 'pending_delete':
      drop(registry, domain, at)
  }
}

export function inPhase(domain: Domain, phase: Domain['phase'], ends_at: number | null): Domain {
  return { ...domain, phase, phase_ends_at: ends_at }
}

function autoRenew(registry: Registry, domain: Domain, at: number): void {
  const { cents } = priceOf(registry, domain.name, { kind: 'renew', years: 1 })
  const effect = registry.charge({
    registrar: domain.sponsor,
    kind: 'autorenew',
    domain: domain.name,
    years: 1,
    cents,
    at,
    cl_trid: null,
  })
  const expires_at = addYears(domain.expires_at, 1)
  const grace = graceOf('auto_renew', at, { effect, years: 1 })
  const graces = [...liveGraces(domain, at), grace]
  registry.domains.put(domain.name, { ...domain, expires_at, graces })
  registry.notify(domain.sponsor, {
    at,
    text: 'Domain was auto-renewed.',
    data:
      `<domain:renData xmlns:domain="${DOMAIN}"><domain:name>${domain.name}</domain:name>` +
      `<domain:exDate>${dateTime(expires_at)}</domain:exDate></domain:renData>`,
  })
}

function drop(registry: Registry, domain: Domain, at: number): void {
  for (const host of registry.subordinates.get(domain.name) ?? []) registry.hosts.remove(host)
  registry.domains.remove(domain.name)
  const { cl_trid, sv_trid } = domain.deletion ?? { cl_trid: null, sv_trid: 'none' }
  const client = cl_trid === null ? '' : `<clTRID xmlns="${EPP}">${escapeXml(cl_trid)}</clTRID>`
  registry.notify(domain.sponsor, {
    at,
    text: 'Domain was deleted.',
    data:
      `<domain:panData xmlns:domain="${DOMAIN}">` +
      `<domain:name paResult="1">${domain.name}</domain:name><domain:paTRID>${client}` +
      `<svTRID xmlns="${EPP}">${sv_trid}</svTRID></domain:paTRID>` +
      `<domain:paDate>${dateTime(at)}</domain:paDate></domain:panData>`,
  })
}
