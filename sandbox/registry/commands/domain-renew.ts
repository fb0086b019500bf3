// domain:renew and domain:delete.

import { addYears, DAY_MS, dateTime } from '../../support/sandbox-clock.ts'
import { graceOf, liveGraces, refund } from '../model/grace-periods.ts'
import { inPhase, REDEMPTION_DAYS } from '../model/lifecycle.ts'
import { priceOf } from '../model/prices.ts'
import { MAX_YEARS } from '../model/profiles.ts'
import { DOMAIN } from '../protocol/namespaces.ts'
import { Refused, type Reply } from '../protocol/reply.ts'
import {
  type Call,
  readDomain,
  refuseStatuses,
  requireSponsor,
  touched,
} from './command-context.ts'
import { readYears } from './domain-parts.ts'
import { renderExpiry } from './domain-view.ts'
import { acknowledgeFee, feeResult } from './fees.ts'
import { inOrder, requiredText } from './field-parser.ts'

/** RFC 5731 section 3.2.3; curExpDate is the fence that makes a repeated renew harmless. */
export function renewDomain(call: Call): Reply {
  const { registry } = call
  inOrder(call.body, 'name curExpDate period')
  const domain = readDomain(call)
  requireSponsor(call, domain)
  const fence = requiredText(call.body, 'curExpDate')
  if (!/^\d{4}-\d{2}-\d{2}Z?$/.test(fence)) throw new Refused(2005, 'curExpDate is a date')
  const years = readYears(call.body)
  refuseStatuses(domain, 'Renew')
  if (fence.slice(0, 10) !== dateTime(domain.expires_at).slice(0, 10)) {
    throw new Refused(2004, 'curExpDate is not the expiry date')
  }
  const expires_at = addYears(domain.expires_at, years)
  if (expires_at > addYears(call.now, MAX_YEARS)) {
    throw new Refused(2306, `the term would be longer than ${MAX_YEARS} years`)
  }
  const price = priceOf(registry, domain.name, { kind: 'renew', years })
  acknowledgeFee(call, price)
  registry.requireCredit(call.registrar, price.cents)
  const effect = registry.charge({
    registrar: call.registrar,
    kind: 'renew',
    domain: domain.name,
    years,
    cents: price.cents,
    at: call.now,
    cl_trid: call.cl_trid,
  })
  const grace = graceOf('renew', call.now, { effect, years })
  const graces = [...liveGraces(domain, call.now), grace]
  registry.domains.put(domain.name, { ...domain, ...touched(call), expires_at, graces })
  return {
    code: 1000,
    data:
      `<domain:renData xmlns:domain="${DOMAIN}"><domain:name>${domain.name}</domain:name>` +
      `${renderExpiry(registry, expires_at)}</domain:renData>`,
    extension: feeResult(call, 'renData', price.cents),
  }
}

/**
 * RFC 5731 section 3.2.2: a domain is deleted at once in the add grace, and otherwise enters
 * redemption (RFC 3915).
 */
export function deleteDomain(call: Call): Reply {
  const { registry } = call
  inOrder(call.body, 'name')
  const domain = readDomain(call)
  requireSponsor(call, domain)
  refuseStatuses(domain, 'Delete')
  if (registry.subordinates.has(domain.name)) throw new Refused(2305, 'it has subordinate hosts')
  const graces = liveGraces(domain, call.now)
  const by = { at: call.now, cl_trid: call.cl_trid }
  const cents = graces.reduce((sum, grace) => sum + refund(registry, grace, by), 0)
  const extension = cents === 0 ? '' : feeResult(call, 'delData', -cents)
  if (graces.some((grace) => grace.kind === 'add')) {
    registry.domains.remove(domain.name)
    return { code: 1000, extension }
  }
  const years = graces.reduce((sum, grace) => sum + grace.years, 0)
  const deletion = { cl_trid: call.cl_trid, sv_trid: call.sv_trid, at: call.now }
  const expires_at = addYears(domain.expires_at, -years)
  const gone = { ...domain, ...touched(call), expires_at, graces: [], deletion }
  registry.domains.put(
    domain.name,
    inPhase(gone, 'redemption', call.now + REDEMPTION_DAYS * DAY_MS),
  )
  return { code: 1001, extension }
}
