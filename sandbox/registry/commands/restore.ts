// Restores a deleted domain from redemption (RFC 3915 section 4.2.5).

import { addYears, DAY_MS, dateTime } from '../../support/sandbox-clock.ts'
import { inPhase, RESTORE_REPORT_DAYS } from '../model/lifecycle.ts'
import { priceOf } from '../model/prices.ts'
import type { Domain } from '../model/records.ts'
import { RGP } from '../protocol/namespaces.ts'
import { Refused, type Reply } from '../protocol/reply.ts'
import type { Element } from '../protocol/xml.ts'
import { type Call, touched } from './command-context.ts'
import { acknowledgeFee, feeResult } from './fees.ts'
import { child, inOrder, requiredText } from './field-parser.ts'

/** The restore request is billed at once, and the report completes it. */
export function restoreDomain(call: Call, domain: Domain): Reply {
  const update = call.extensions.get(RGP)
  const restore = update === undefined ? undefined : child(update, 'restore')
  const op = restore?.attributes.get('op')
  if (restore === undefined || op === undefined) throw new Refused(2003, 'rgp:restore op')
  if (op === 'request') return requestRestore(call, domain)
  if (op !== 'report') throw new Refused(2005, 'rgp:restore op')
  const report = child(restore, 'report')
  if (report === undefined) throw new Refused(2003, 'rgp:report is required')
  inOrder(report, 'preData postData delTime resTime resReason statement other')
  for (const part of ['delTime', 'resTime', 'resReason', 'statement']) requiredText(report, part)
  if (domain.phase !== 'pending_restore') throw new Refused(2304, 'no restore is pending')
  requireMoment(report, 'delTime', domain.deletion?.at ?? null)
  requireMoment(report, 'resTime', domain.restore_at ?? null)
  const back = { ...domain, ...touched(call), deletion: null, restore_at: null }
  call.registry.domains.put(domain.name, inPhase(back, 'active', null))
  return { code: 1000 }
}

const CLOCKS_DIFFER_MS = 60_000

/**
 * The times of the delete and of the restore request, as the report states them (RFC 3915 section
 * 4.2.5). A time that differs from the registry's own record is refused.
 */
function requireMoment(report: Element, part: 'delTime' | 'resTime', known: number | null): void {
  const reported = Date.parse(requiredText(report, part))
  if (Number.isNaN(reported)) throw new Refused(2005, part)
  if (known !== null && Math.abs(reported - known) > CLOCKS_DIFFER_MS)
    throw new Refused(2306, `${part} is ${dateTime(reported)}, and was ${dateTime(known)}`)
}

function requestRestore(call: Call, domain: Domain): Reply {
  const { registry } = call
  if (domain.phase !== 'redemption') throw new Refused(2304, 'it is not in redemption')
  const price = priceOf(registry, domain.name, { kind: 'restore', years: 1 })
  acknowledgeFee(call, price)
  registry.requireCredit(call.registrar, price.cents)
  // A name that expired while it was deleted gets another year, which the restore fee includes.
  const years = domain.expires_at <= call.now ? 1 : 0
  registry.charge({
    registrar: call.registrar,
    kind: 'restore',
    domain: domain.name,
    years,
    cents: price.cents,
    at: call.now,
    cl_trid: call.cl_trid,
  })
  const expires_at = addYears(domain.expires_at, years)
  const ends_at = call.now + RESTORE_REPORT_DAYS * DAY_MS
  const back = { ...domain, ...touched(call), expires_at, restore_at: call.now }
  registry.domains.put(domain.name, inPhase(back, 'pending_restore', ends_at))
  return {
    code: 1000,
    extension:
      `<rgp:upData xmlns:rgp="${RGP}"><rgp:rgpStatus s="pendingRestore"/></rgp:upData>` +
      feeResult(call, 'updData', price.cents),
  }
}
