// Availability and fees of names at an EPP registry, as the port shows them.

import { type DomainCheckAnswer, domainCheck } from '../../../epp/commands/domain-query.ts'
import type { NameFees } from '../../../epp/commands/fee-check.ts'
import { comparable } from '../../../epp/replies/reply.ts'
import type { DomainName } from '../../../kit/random.ts'
import { checkInParts, reasonOf, unreachableName, verbsOf } from '../availability-check.ts'
import type { CheckedName, CheckOptions, Fees } from '../port.ts'
import { type Link, mapDone } from './epp-connection.ts'

/**
 * RFC 8748 section 3.7: `standard` is the class of names with the usual price. `standard` of the
 * command means the same.
 */
function isPremium(fees: NameFees): boolean {
  const classed = fees.fee_class !== null && fees.fee_class.toLowerCase() !== 'standard'
  return classed || fees.standard === false
}

function feesOf({ currency, totals }: NameFees): Fees | null {
  const { create = null, renew = null, transfer = null, restore = null } = totals
  const none = create === null && renew === null && transfer === null && restore === null
  return none ? null : { currency, create, renew, transfer, restore }
}

function checkedName(domain: DomainName, { names, fees }: DomainCheckAnswer): CheckedName {
  const found = names.get(domain.toLowerCase())
  const cost = fees.get(comparable(domain))
  if (!found || found.available === null) return unreachableName(domain)
  return {
    domain,
    available: found.available,
    reason: found.available ? null : reasonOf(found.reason ?? cost?.reason ?? null),
    premium: cost ? isPremium(cost) : false,
    fees: cost ? feesOf(cost) : null,
    unreachable: false,
    refused: null,
  }
}

export function check(link: Link, names: string[], options: CheckOptions): Promise<CheckedName[]> {
  const { fee, currency, names_per_check } = link.profile
  const verbs = fee ? verbsOf(options) : []
  const { period_years = 1 } = options
  const commands = verbs.map((verb) => ({
    verb,
    // A restore has no period, and a transfer adds its own.
    years: verb === 'restore' ? null : verb === 'transfer' ? transferPeriod(link) : period_years,
  }))
  const fees = commands.length > 0 ? { currency, commands } : null
  return checkInParts(names, names_per_check, async (part) => {
    const outcome = await link.send(domainCheck, { names: part, fees }, options)
    return mapDone(outcome, (answer) => part.map((name) => checkedName(name, answer)))
  })
}

/** The period, or null if the request has none. */
function transferPeriod({ profile: { transfer } }: Link): number | null {
  return transfer.send_period ? transfer.years : null
}
