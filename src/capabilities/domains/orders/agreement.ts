// Terms of a purchase before its hold: its price, name servers and contacts. The price is the one
// on which the registry, the price list and the request agree. A purchase by a quote is charged the
// quoted price, or today's if that is lower; the service bears a rise up to QUOTE_LOSS_PERCENT
// (decision 72). Name servers and contacts that the request leaves out are the defaults.
import type {
  CheckedName,
  CheckOptions,
  FeeVerb,
  Registry,
} from '../../../adapters/registry/port.ts'
import type { App, Call } from '../../../app.ts'
import type { Row } from '../../../db/statement.ts'
import { type Fault, InvalidInput } from '../../../kit/fault.ts'
import { amountOf, parseAmount } from '../../../kit/money.ts'
import type { DomainName } from '../../../kit/random.ts'
import { compile } from '../../../kit/schema.ts'
import {
  type ContactRole,
  contactRoles,
  namedContacts,
  usableContact,
} from '../../contacts/index.ts'
import { type PriceBody, priceBody, type Quote, type SeveralYears } from '../../pricing/index.ts'
import * as faults from '../faults.ts'
import { isWithin, type Nameservers, type ParsedName, readNameservers } from '../names.ts'
import { price as priceSchema } from '../schemas.ts'
import type { PurchaseContext, PurchaseRequest } from './handlers/order-handler.ts'
import type { RegisterOrder } from './order.ts'
import { accountDefaults } from './orders.sql.ts'
import { quoteExpired, quoteMismatch, quoteNotFound, quoteUsed } from './quotes/quote-faults.ts'
import { quoteById } from './quotes/quotes.sql.ts'

/** The highest price that the request allows, in minor units. */
export function maxPriceOf({ max_price }: { max_price?: string }): bigint | undefined {
  return max_price === undefined ? undefined : amountOf(max_price)
}

type AskedFees = {
  /** The fees to ask for, each of one year. */
  fees: readonly FeeVerb[]
  /** The fee to ask for all the years that are ordered at once. */
  several?: { verb: FeeVerb; years: number }
}

/**
 * Asks the registry now about one name and these fees, by which a purchase is priced. Throws 409
 * registry_refused for a name that the registry does not take, and 503 registry_unreachable.
 */
export async function checkForPurchase(
  app: App,
  name: Pick<ParsedName, 'name' | 'tld'>,
  { fees, several }: AskedFees,
): Promise<CheckedName & { several?: SeveralYears }> {
  if (!several || several.years < 2) return checkedNow(app, name, { fees })
  const { verb, years: period_years } = several
  const [checked, whole] = await Promise.all([
    checkedNow(app, name, { fees }),
    checkedNow(app, name, { fees: [verb], period_years }),
  ])
  const amount = whole.fees?.[verb] ?? null
  if (!whole.fees || amount === null) return checked
  return { ...checked, several: { years: period_years, amount, currency: whole.fees.currency } }
}

async function checkedNow(
  app: App,
  name: Pick<ParsedName, 'name' | 'tld'>,
  asked: Omit<CheckOptions, 'priority'>,
): Promise<CheckedName> {
  const registry = app.registries.byTld.get(name.tld)?.registry
  const [checked] = (await registry?.check([name.name], { priority: 'purchase', ...asked })) ?? []
  if (!checked || checked.unreachable || checked.available === null)
    throw faults.registryUnreachable({ retry_after_s: 5 })
  const { refused } = checked
  if (refused !== null)
    throw faults.registryRefused({ detail: `The registry refuses the name: ${refused}` })
  return checked
}

/** Throws 409 premium_not_allowed, with the price. */
export function refusePremium(quote: Quote, { allow_premium }: { allow_premium: boolean }): void {
  if (quote.premium && !allow_premium)
    throw faults.premiumNotAllowed({ facts: { price: priceBody(quote) } })
}

/** Throws 409 price_changed, with the price, if it is above the one that the buyer named. */
export function refuseAbove(quote: Quote, maxPrice: bigint | undefined): void {
  if (maxPrice === undefined || quote.amount <= maxPrice) return
  const price = priceBody(quote)
  throw faults.priceChanged({
    detail: `The price is ${price.amount} ${price.currency}, above your max_price.`,
    facts: { price },
  })
}

const readPrice = compile(priceSchema)

/**
 * Reads the quote before the registry is asked. Throws 404 quote_not_found, 409 quote_mismatch,
 * quote_used or quote_expired. A request that the owner has approved goes by the approved price.
 */
export async function readQuote<R extends PurchaseRequest, V>(context: PurchaseContext<R, V>) {
  const { app, call, handler, request } = context
  const { quote_id: id, customer_id } = request
  if (id === undefined) return undefined
  const row = await app.db.maybe(quoteById, { id, customer_id })
  // The quote existed when the owner was asked, and is deleted a day after its end.
  if (!row && call.approval) return undefined
  if (!row) throw quoteNotFound()
  const { type, domain, period_years, currency } = row
  const same =
    type === handler.type &&
    domain === request.domain &&
    period_years === request.period_years &&
    currency === request.currency
  if (!same)
    throw quoteMismatch({ facts: { quote: { action: type, domain, period_years, currency } } })
  if (row.order_id !== null) throw quoteUsed({ facts: { operation_id: row.order_id } })
  if (row.expires_at > app.clock.now()) context.honoured = { id, price: readPrice.parse(row.price) }
  else if (!call.approval)
    throw quoteExpired({ detail: `The quote expired at ${row.expires_at.toISOString()}.` })
  return undefined
}

/**
 * The price to charge, where `current` is that of this moment. Throws 409 price_changed with the
 * current price if the service does not bear the difference to the quote.
 */
export function chargedPrice<R extends PurchaseRequest, V>(
  { app, honoured }: PurchaseContext<R, V>,
  current: Quote,
): Quote {
  if (!honoured) return current
  const quoted = quotedAs(current, honoured.price)
  if (current.amount <= quoted.amount) return current
  if (current.amount * 100n <= quoted.amount * BigInt(100 + app.settings.quote_loss_percent))
    return quoted
  const price = priceBody(current)
  throw faults.priceChanged({
    detail:
      `The registry now charges too much more for the quote of ${honoured.price.amount} ` +
      `${honoured.price.currency} to be honored; the price is ${price.amount}.`,
    hint:
      'If "price" is within the limit that your owner gave, send the request again without ' +
      'quote_id and with "price" as max_price; otherwise ask your owner first.',
    facts: { price },
  })
}

function quotedAs(current: Quote, { amount, renewal_amount, premium, items }: PriceBody): Quote {
  return {
    ...current,
    amount: minorUnits(amount),
    renewal_amount: minorUnits(renewal_amount),
    premium,
    items: items.map((item) => ({ ...item, amount: minorUnits(item.amount) })),
  }
}

function minorUnits(text: string): bigint {
  const amount = parseAmount(text)
  if (amount === undefined) throw new Error(`A stored price is not an amount: ${text}`)
  return amount
}

/** Throws 409 period_not_allowed if the registry does not sell this many years at once. */
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
export type DomainAtRegistry = { domain: DomainName; registry: Registry }
export type Defaults = Pick<RegisterOrder, 'nameservers' | 'glue' | 'after_create' | 'contacts'>

/**
 * The defaults of a registration. Throws 422 for a malformed name server or address and for an
 * unknown contact, 409 registrant_required without a registrant, and 409 glue_required for a name
 * server below the name without an address.
 */
export async function chooseDefaults(
  app: App,
  call: Call,
  { requested, ...sought }: DomainAtRegistry & { requested: RequestedOptions },
): Promise<Defaults> {
  const account = await call.sql.one(accountDefaults, { customer_id: call.customer_id })
  const delegation = chooseNameservers(app, { requested, ...sought, account })
  const contacts = await chooseContacts(call, { requested, account }, sought.registry)
  return { ...delegation, contacts }
}

type AccountDefaults = Row<'orders_account_defaults'>

function chooseNameservers(
  app: App,
  {
    requested,
    domain,
    registry,
    account,
  }: DomainAtRegistry & { requested: RequestedOptions; account: AccountDefaults },
): Pick<Defaults, 'nameservers' | 'glue' | 'after_create'> {
  const named = namedNameservers(app, { domain, registry }, requested)
  const { default_nameservers } = app.settings
  const unnamed = account.nameservers.length > 0 ? account.nameservers : default_nameservers
  const { nameservers, glue } = named ?? { nameservers: unnamed, glue: {} }
  const own = nameservers.filter((host) => isWithin(domain, host))
  // The name is new, so the registry knows no host below it.
  refuseWithoutGlue(own.filter((host) => !Object.hasOwn(glue, host) || !glue[host]?.length))
  if (own.length === 0) return { nameservers }
  const after_create = registry.hosts.own_hosts_later ? { after_create: own } : {}
  return { nameservers, glue: mutable(glue), ...after_create }
}

/** The name servers of the request with their addresses, or undefined if it names none. */
export function namedNameservers(
  { registries }: Pick<App, 'registries'>,
  { domain, registry }: DomainAtRegistry,
  requested: RequestedOptions,
): Nameservers | undefined {
  const named = readNameservers(domain, requested, { exceptions: registries.idn_exceptions })
  if (!named || !registry.hosts.one_address_of_a_kind) return named
  const full = Object.entries(named.glue).filter(([, addresses]) => hasMore(addresses))
  const msg = 'The registry keeps one IPv4 and one IPv6 address of a host'
  if (full.length === 0) return named
  throw new InvalidInput(full.map(([host]) => ({ path: ['glue', host], msg, type: 'too_long' })))
}

/** Whether a host has more than one address of a kind. */
export function hasMore(addresses: readonly string[]): boolean {
  const ipv6 = addresses.filter((address) => address.includes(':')).length
  return ipv6 > 1 || addresses.length - ipv6 > 1
}

/** Throws 409 glue_required with the hosts, if there are any. */
export function refuseWithoutGlue(hosts: readonly string[]): void {
  if (hosts.length === 0) return
  throw faults.glueRequired({
    detail: `No address is known of ${hosts.join(', ')}.`,
    facts: { hosts: [...hosts] },
  })
}

export function mutable(glue: Nameservers['glue']): Record<string, string[]> {
  return Object.fromEntries(Object.entries(glue).map(([host, all]) => [host, [...all]]))
}

/** The contacts by role; a role that the registry requires is the registrant's by default. */
export async function chooseContacts(
  call: Call,
  { requested, ...read }: { requested: RequestedOptions; account?: AccountDefaults },
  { profile }: Registry,
): Promise<Defaults['contacts']> {
  const { sql, customer_id } = call
  const account = read.account ?? (await sql.one(accountDefaults, { customer_id }))
  const isNamed = requested.contacts !== undefined || (requested.contact ?? null) !== null
  const named = isNamed ? await namedContacts(sql, customer_id, requested) : {}
  const chosen: Defaults['contacts'] = {}
  for (const role of contactRoles) {
    const byDefault = account[role]
    const id = named[role] ?? (byDefault === null ? undefined : Number(byDefault))
    if (id !== undefined) chosen[role] = id
  }
  const { registrant } = chosen
  if (registrant === undefined) throw await withoutRegistrant(call)
  for (const role of profile.contact_roles) chosen[role] ??= registrant
  return chosen
}

/** 409 registrant_required, which names a contact of the account if one is no default. */
async function withoutRegistrant({ sql, customer_id }: Call): Promise<Fault> {
  const contact = await usableContact(sql, customer_id)
  if (!contact) return faults.registrantRequired()
  const { id, handle } = contact
  return faults.registrantRequired({
    detail: `The account has the contact "${handle}" (${id}), and it is no default registrant.`,
    hint:
      `Send "contact": ${id} with this purchase, or make it the default for later ones ` +
      '(the owner, at "url"). Ask the owner if another one is meant.',
    facts: { contact },
  })
}
