// Availability and prices over EPP: names in parts over the sessions, fees in the same command.
import { type DomainCheckAnswer, domainCheck } from '../../../epp/commands/domain-check.ts'
import type { NameFees } from '../../../epp/commands/fee.ts'
import { comparable } from '../../../epp/replies/object-identity.ts'
import { checkInParts, reasonOf, unreachableName, verbsOf } from '../availability-check.ts'
import { type CheckedName, type CheckOptions, type Fees, feeVerbs, type Prices } from '../port.ts'
import { type Probed, probePrices } from '../price-probe.ts'
import { type Link, mapDone } from './epp-connection.ts'

/**
 * RFC 8748 section 3.7: `standard` is the class of what costs the usual. `standard` of the command
 * says so, too.
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

function read(domain: string, { names, fees }: DomainCheckAnswer): CheckedName {
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
  const fees = verbs.length > 0 ? { currency, verbs, period_years: 1 } : null
  return checkInParts(names, names_per_check, async (part) => {
    const outcome = await link.send(domainCheck, { names: part, fees }, options)
    return mapDone(outcome, (answer) => part.map((name) => read(name, answer)))
  })
}

/** Checks an unregistered name in each TLD. */
export async function prices(link: Link, tlds: string[]): Promise<Map<string, Prices>> {
  const { profile, parts } = link
  if (!profile.fee) return new Map()
  const found = await probePrices(tlds, { profile, randomId: parts.randomId }, async (names) => {
    const answers = await check(link, names, { priority: 'background', fees: feeVerbs })
    return answers.map(pricesOf)
  })
  for (const tld of tlds)
    if (!found.has(tld)) parts.log.warn({ registry: profile.name, tld }, 'no plain price')
  return found
}

function pricesOf({ fees, premium, unreachable }: CheckedName): Probed {
  if (unreachable) return 'unreachable'
  const { create, renew, transfer, restore } = fees ?? {}
  if (!fees || !create || !renew || !transfer || !restore || premium) return 'refused'
  return { currency: fees.currency, create, renew, transfer, restore }
}
