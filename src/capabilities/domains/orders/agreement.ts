// Terms of a purchase before its hold: the price that the registry, the price list and the request
// agree on, and the name servers and contacts that the request leaves to defaults.
import type { CheckedName, FeeVerb, HostRules, Registry } from '../../../adapters/registry/port.ts'
import type { App, Call } from '../../../app.ts'
import { InvalidInput } from '../../../kit/fault.ts'
import { parseAmount } from '../../../kit/money.ts'
import { defaultNameserversOf } from '../../account/index.ts'
import { type ContactRole, chosenContacts, contactRoles } from '../../contacts/index.ts'
import { priceBody, type Quote } from '../../pricing/index.ts'
import * as faults from '../faults.ts'
import { type DomainName, isBelow, type Nameservers, readNameservers } from '../names.ts'
import { glueRequired } from '../updates/update-faults.ts'
import type { RegisterOrder } from './order.ts'

/** In minor units; 422 for what is no amount. */
export function maxPriceOf({ max_price }: { max_price?: string }): bigint | undefined {
  if (max_price === undefined) return undefined
  const amount = parseAmount(max_price)
  if (amount !== undefined) return amount
  const msg = 'Input should be a decimal amount such as "12.00"'
  throw new InvalidInput([{ path: ['max_price'], msg, type: 'decimal_parsing' }])
}

/**
 * One name, asked of its registry now, with what these would cost: what a purchase goes by. Throws
 * 409 registry_refused for a name that the registry does not take, 503 registry_unreachable.
 */
export async function checkForPurchase(
  app: App,
  name: Pick<DomainName, 'name' | 'tld'>,
  fees: readonly FeeVerb[],
): Promise<CheckedName> {
  const registry = app.registries.byTld.get(name.tld)?.registry
  const [checked] = (await registry?.check([name.name], { priority: 'purchase', fees })) ?? []
  if (!checked || checked.unreachable || checked.available === null)
    throw faults.registryUnreachable({ retry_after_s: 5 })
  const { refused } = checked
  if (refused !== null)
    throw faults.registryRefused({ detail: `The registry refuses the name: ${refused}` })
  return checked
}

/** 409 premium_not_allowed, with the price. */
export function refusePremium(quote: Quote, { allow_premium }: { allow_premium: boolean }): void {
  if (quote.premium && !allow_premium)
    throw faults.premiumNotAllowed({ facts: { price: priceBody(quote) } })
}

/** 409 price_changed, with the price, when it is above what the buyer named. */
export function refuseAbove(quote: Quote, maxPrice: bigint | undefined): void {
  if (maxPrice === undefined || quote.amount <= maxPrice) return
  const price = priceBody(quote)
  throw faults.priceChanged({
    detail: `The price is ${price.amount} ${price.currency}, above your max_price.`,
    facts: { price },
  })
}

/** 409 period_not_allowed where the registry does not sell so many years at once. */
export function refusePeriod(app: App, tld: string, years: number): void {
  const periods = app.registries.byTld.get(tld)?.registry.profile.periods ?? { min: 1, max: 10 }
  if (years >= periods.min && years <= periods.max) return
  throw faults.periodNotAllowed({
    detail: `The registry of .${tld} sells ${periods.min} to ${periods.max} years at once.`,
    facts: { periods },
  })
}

export type RequestedOptions = {
  nameservers?: string[]
  glue?: Record<string, string[]>
  contacts?: Partial<Record<ContactRole, number>>
  contact?: number | string | null
}
/** The name that is bought, and the registry that sells it. */
export type DomainAtRegistry = { domain: string; registry: Registry }
export type Defaults = Pick<RegisterOrder, 'nameservers' | 'glue' | 'after_create' | 'contacts'>

/**
 * For a registration. Throws 422 for a name server, address or contact that is not one, 409
 * registrant_required without a registrant, 409 glue_required for a name server below the name
 * without an address.
 */
export async function chooseDefaults(
  app: App,
  call: Call,
  { wishes, ...sought }: DomainAtRegistry & { wishes: RequestedOptions },
): Promise<Defaults> {
  const [delegation, contacts] = await Promise.all([
    chooseNameservers(app, call, { wishes, ...sought }),
    chooseContacts(call, wishes, sought.registry),
  ])
  return { ...delegation, contacts }
}

async function chooseNameservers(
  app: App,
  call: Call,
  { wishes, domain, registry }: DomainAtRegistry & { wishes: RequestedOptions },
): Promise<Pick<Defaults, 'nameservers' | 'glue' | 'after_create'>> {
  const named = namedNameservers(domain, wishes, registry.hosts)
  const { nameservers, glue } = named ?? {
    nameservers: await accountNameservers(app, call),
    glue: {},
  }
  const own = nameservers.filter((host) => isBelow(domain, host))
  // The name is new, so the registry knows no host below it.
  refuseWithoutGlue(own.filter((host) => !Object.hasOwn(glue, host) || !glue[host]?.length))
  if (own.length === 0) return { nameservers }
  const after_create = registry.hosts.own_hosts_later ? { after_create: own } : {}
  return { nameservers, glue: mutable(glue), ...after_create }
}

async function accountNameservers(app: App, call: Call): Promise<string[]> {
  const account = await defaultNameserversOf(call.sql, call.customer_id)
  return account.length > 0 ? account : app.settings.default_nameservers
}

/** Those that the request names, with their addresses; undefined when it names none. */
export function namedNameservers(
  domain: string,
  wishes: RequestedOptions,
  { one_address_of_a_kind }: HostRules,
): Nameservers | undefined {
  const named = readNameservers(domain, wishes)
  if (!named || !one_address_of_a_kind) return named
  const full = Object.entries(named.glue).filter(([, addresses]) => hasMore(addresses))
  const msg = 'The registry keeps one IPv4 and one IPv6 address of a host'
  if (full.length === 0) return named
  throw new InvalidInput(full.map(([host]) => ({ path: ['glue', host], msg, type: 'too_long' })))
}

/** More addresses of a host than one of each kind. */
export function hasMore(addresses: readonly string[]): boolean {
  const ipv6 = addresses.filter((address) => address.includes(':')).length
  return ipv6 > 1 || addresses.length - ipv6 > 1
}

/** 409 glue_required that names the hosts, when there are any. */
export function refuseWithoutGlue(hosts: readonly string[]): void {
  if (hosts.length === 0) return
  throw glueRequired({ detail: `No address is known of ${hosts.join(', ')}.`, facts: { hosts } })
}

export function mutable(glue: Nameservers['glue']): Record<string, string[]> {
  return Object.fromEntries(Object.entries(glue).map(([host, all]) => [host, [...all]]))
}

/** A role without a contact is the registrant's, where the registry wants the role. */
export async function chooseContacts(
  call: Call,
  wishes: RequestedOptions,
  { profile }: Registry,
): Promise<Defaults['contacts']> {
  const { named, defaults } = await chosenContacts(call.sql, call.customer_id, wishes)
  const chosen: Defaults['contacts'] = {}
  for (const role of contactRoles) {
    const id = named[role] ?? defaults[role]
    if (id !== undefined) chosen[role] = id
  }
  const { registrant } = chosen
  if (registrant === undefined) throw faults.registrantRequired()
  for (const role of profile.contact_roles) chosen[role] ??= registrant
  return chosen
}
