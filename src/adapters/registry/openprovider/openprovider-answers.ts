// Parsers of Openprovider's answers: the fields that we read, and its dates, prices and names in
// the port's terms (swagger.json of openprovider/api-documentation).

import Type, { type Static } from 'typebox'
import { comparable } from '../../../epp/replies/reply.ts'
import type { DomainName } from '../../../kit/random.ts'
import { compile, stringOf } from '../../../kit/schema.ts'
import type { Glue } from '../port.ts'

const text = Type.Optional(Type.String())
const price = Type.Object({ currency: Type.String(), price: Type.Number({ minimum: 0 }) })
const prices = Type.Object({ product: Type.Optional(price), reseller: Type.Optional(price) })
const nameserver = Type.Object({
  name: Type.String(),
  ip: text,
  ip6: text,
  seq_nr: Type.Optional(Type.Integer()),
})
const registryStatus = Type.Optional(Type.Object({ value: Type.Optional(Type.Integer()) }))

const checkedDomain = Type.Object({
  domain: stringOf<DomainName>(),
  status: Type.String(),
  reason: text,
  is_premium: Type.Optional(Type.Boolean()),
  premium: Type.Optional(
    Type.Object({
      currency: text,
      price: Type.Optional(Type.Object({ create: Type.Optional(Type.Number({ minimum: 0 })) })),
    }),
  ),
  price: Type.Optional(prices),
})

const domain = Type.Object({
  id: Type.Integer(),
  domain: Type.Object({ name: Type.String(), extension: Type.String() }),
  status: Type.String(),
  type: text,
  is_deleted: Type.Optional(Type.Boolean()),
  is_locked: Type.Optional(Type.Boolean()),
  is_client_hold_enabled: Type.Optional(Type.Union([Type.String(), Type.Boolean()])),
  registry_statuses: Type.Optional(
    Type.Object({
      client_hold: registryStatus,
      client_transfer_prohibited: registryStatus,
    }),
  ),
  creation_date: text,
  active_date: text,
  order_date: text,
  last_changed: text,
  expiration_date: text,
  renewal_date: text,
  name_servers: Type.Optional(Type.Array(nameserver)),
  owner_handle: text,
  admin_handle: text,
  tech_handle: text,
  billing_handle: text,
})

const customer = Type.Object({
  handle: Type.String({ minLength: 1 }),
  id: Type.Optional(Type.Integer()),
  comments: text,
  company_name: text,
  is_deleted: Type.Optional(Type.Boolean()),
  name: Type.Optional(Type.Object({ first_name: text, last_name: text, full_name: text })),
})

/** Empty lists are left out of an answer. */
const listOf = <S extends Type.TSchema>(item: S) =>
  compile(Type.Object({ results: Type.Optional(Type.Array(item)) }))

export const answers = {
  anything: compile(Type.Unknown()),
  checked: listOf(checkedDomain),
  price: compile(Type.Object({ price: prices, is_premium: Type.Optional(Type.Boolean()) })),
  domains: listOf(domain),
  ordered: compile(
    Type.Object({
      id: Type.Optional(Type.Integer()),
      status: Type.String(),
      activation_date: text,
      expiration_date: text,
    }),
  ),
  status: compile(Type.Object({ status: Type.String() })),
  auth_code: compile(Type.Object({ auth_code: Type.String({ minLength: 1 }) })),
  shown_auth_code: compile(Type.Object({ auth_code: text })),
  customers: listOf(customer),
  customer: compile(Type.Object({ handle: Type.String({ minLength: 1 }) })),
}
export type FoundDomain = Static<typeof domain>
export type FoundCustomer = Static<typeof customer>
export type CheckedDomain = Static<typeof checkedDomain>
type TaggedPrices = Static<typeof prices>

/**
 * A time such as "2020-04-29 17:15:19", presumably in UTC, or null if there is none ("0000-00-00
 * 00:00:00").
 */
export function momentOf(written: string | undefined): string | null {
  const [, date, hour = '0', rest = ':00:00'] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d{1,2})(:\d\d:\d\d)?)?/.exec(written ?? '') ?? []
  const time = Date.parse(`${date}T${hour.padStart(2, '0')}${rest}Z`)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

/** The billed amount in decimals, rounded up, or null in another currency. */
export function amountOf(found: TaggedPrices | undefined, currency: string): string | null {
  const billed = found?.reseller ?? found?.product
  return billed?.currency === currency ? decimalOf(billed.price) : null
}

export function decimalOf(price: number): string {
  // Doubles of two decimals are off by far less than a hundredth of a cent.
  return (Math.ceil(Math.round(price * 10_000) / 100) / 100).toFixed(2)
}

/** `name` is the label, and `extension` everything after its dot. */
export function partsOf(name: string): { name: string; extension: string } {
  const dot = name.indexOf('.')
  return { name: name.slice(0, dot), extension: name.slice(dot + 1) }
}

/** Their form of name servers: one address of each kind, given only for those below the name. */
export function nameserverList(hosts: readonly string[], glue: Glue = {}) {
  return hosts.map((name, at) => {
    const addresses = glue[comparable(name)] ?? []
    const ip = addresses.find((address) => !address.includes(':'))
    const ip6 = addresses.find((address) => address.includes(':'))
    return { name, ...(ip ? { ip } : {}), ...(ip6 ? { ip6 } : {}), seq_nr: at + 1 }
  })
}
