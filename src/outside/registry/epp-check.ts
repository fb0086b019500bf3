// Availability and prices over EPP: names in parts over the sessions, fees in the same command.
import { type DomainCheckAnswer, domainCheck } from '../../epp/commands/domain-check.ts'
import type { NameFees } from '../../epp/commands/fee.ts'
import { comparable } from '../../epp/identity.ts'
import { checkInParts, probeLabel, reasonOf, unreachableName, verbsOf } from './checked.ts'
import { type Link, mapDone } from './epp-link.ts'
import { type CheckedName, type CheckOptions, type Fees, feeVerbs, type Prices } from './port.ts'

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

/** Asks about a name that nobody has in each TLD. */
export async function prices(link: Link, tlds: string[]): Promise<Map<string, Prices>> {
  const found = new Map<string, Prices>()
  if (!link.profile.fee) return found
  const probe = probeLabel(link.parts.randomId)
  const asked = tlds.map((tld) => `${probe}.${tld}`)
  const answers = await check(link, asked, { priority: 'background', fees: feeVerbs })
  for (const [i, { fees, premium }] of answers.entries()) {
    const tld = tlds[i]
    if (tld === undefined) continue
    const { create, renew, transfer, restore } = fees ?? {}
    if (fees && create && renew && transfer && restore && !premium) {
      found.set(tld, { currency: fees.currency, create, renew, transfer, restore })
    } else
      link.parts.log.warn({ registry: link.profile.name, tld, fees, premium }, 'no plain price')
  }
  return found
}
