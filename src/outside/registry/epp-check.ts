// Availability and prices over EPP: names in parts over the sessions, fees in the same command.
import { type DomainCheckAnswer, domainCheck } from '../../epp/commands/domain-check.ts'
import type { NameFees } from '../../epp/commands/fee.ts'
import type { Link } from './epp-link.ts'
import {
  type CheckedName,
  type CheckOptions,
  type Fees,
  type FeeVerb,
  feeVerbs,
  type Prices,
} from './port.ts'

const usual: readonly FeeVerb[] = ['create', 'renew']

function verbsOf({ fees }: CheckOptions): readonly FeeVerb[] {
  if (typeof fees === 'boolean') return fees ? usual : []
  return fees
}

function unreachable(domain: string): CheckedName {
  return {
    domain,
    available: null,
    reason: null,
    premium: false,
    fees: null,
    unreachable: true,
  }
}

/** The registries' own words for why a name is not to be had, as far as they are known. */
export function reasonOf(text: string | null): 'registered' | 'reserved' | 'premium' | null {
  if (!text) return null
  if (/premium/i.test(text)) return 'premium'
  if (/reserv|block|prohibit|restrict|not allowed|forbid|disallow/i.test(text)) return 'reserved'
  return /in use|exist|regist|taken|not available|unavailable/i.test(text) ? 'registered' : null
}

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
  const key = domain.toLowerCase()
  const found = names.get(key)
  const cost = fees.get(key)
  if (!found || found.available === null) return unreachable(domain)
  return {
    domain,
    available: found.available,
    reason: found.available ? null : reasonOf(found.reason ?? cost?.reason ?? null),
    premium: cost ? isPremium(cost) : false,
    fees: cost ? feesOf(cost) : null,
    unreachable: false,
  }
}

/** One refused name must not take its neighbours along: a refused part is asked again in halves. */
async function checkPart(
  link: Link,
  names: string[],
  options: CheckOptions,
): Promise<CheckedName[]> {
  const verbs = link.profile.fee ? verbsOf(options) : []
  const { currency } = link.profile
  const fees = verbs.length > 0 ? { currency, verbs, period_years: 1 } : null
  const outcome = await link.send(domainCheck, { names, fees }, { priority: options.priority })
  if (outcome.kind === 'done') return names.map((name) => read(name, outcome.value))
  const refused = outcome.kind === 'refused' && ['bad_request', 'policy'].includes(outcome.reason)
  if (!refused || names.length === 1) return names.map(unreachable)
  const half = names.length >> 1
  const parts = [names.slice(0, half), names.slice(half)]
  return (await Promise.all(parts.map((part) => checkPart(link, part, options)))).flat()
}

export async function check(
  link: Link,
  names: string[],
  options: CheckOptions,
): Promise<CheckedName[]> {
  const size = link.profile.names_per_check
  const parts: string[][] = []
  for (let at = 0; at < names.length; at += size) parts.push(names.slice(at, at + size))
  return (await Promise.all(parts.map((part) => checkPart(link, part, options)))).flat()
}

/** Asks about a name that nobody has in each TLD. */
export async function prices(link: Link, tlds: string[]): Promise<Map<string, Prices>> {
  const found = new Map<string, Prices>()
  if (!link.profile.fee) return found
  const id = link.parts
    .randomId()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
  const probe = `price-probe-${id.slice(0, 40)}`
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
