// Schemas of the domain answers, written once for REST, MCP and OpenAPI.

import Type, { type Static } from 'typebox'
import { currencies } from '../../kit/money.ts'
import type { DomainName } from '../../kit/random.ts'
import { amount, dateTime, nullable, oneOf, stringOf } from '../../kit/schema.ts'

export const statuses = [
  'pending',
  'active',
  'expired',
  'redemption',
  'pending_delete',
  'transfer_pending',
  'transferred_away',
  'failed',
] as const
export type Status = (typeof statuses)[number]

export const operationTypes = ['register', 'renew', 'transfer', 'restore'] as const
export const operationStates = ['pending', 'succeeded', 'failed', 'unknown'] as const

export const price = Type.Object(
  {
    currency: oneOf(currencies),
    amount: amount('Price of the whole period.'),
    renewal_amount: amount('Price of one more year.'),
    premium: Type.Boolean({ description: 'Whether it is above the standard price of its TLD.' }),
    items: Type.Array(
      Type.Object({ description: Type.String(), amount: amount('The share of this part.') }),
      {
        description: 'The parts of the amount.',
      },
    ),
  },
  { title: 'Price' },
)

const availabilityReasons = [
  'registered',
  'reserved',
  'premium',
  'invalid',
  'tld_not_supported',
  'registry_unreachable',
  'price_unavailable',
] as const

export const availability = Type.Object(
  {
    domain: stringOf<DomainName>({ description: 'The name as stored: lower-case A-labels.' }),
    domain_unicode: Type.String(),
    available: nullable(
      Type.Boolean({ description: 'Null if unknown. Only a name with true can be bought.' }),
    ),
    long_domain: Type.Boolean({ description: 'Whether the label has more than 24 characters.' }),
    price: nullable(price),
    reason: nullable(oneOf(availabilityReasons)),
    detail: nullable(Type.String({ description: 'The reason in words.' })),
    checked_at: dateTime('When the answer was true.'),
    source: nullable(
      oneOf(['registry', 'cache'] as const, {
        description: 'Null where no registry was asked: the name is invalid, or not sold here.',
      }),
    ),
  },
  { title: 'Availability' },
)

export const availabilityResponse = Type.Object(
  { domains: Type.Array(availability, { description: 'The names in the order of the request.' }) },
  { title: 'DomainAvailabilityResponse' },
)

export const contactIds = Type.Object(
  {
    registrant: Type.Optional(Type.Integer({ minimum: 1 })),
    admin: Type.Optional(Type.Integer({ minimum: 1 })),
    technical: Type.Optional(Type.Integer({ minimum: 1 })),
    billing: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { title: 'DomainContacts', additionalProperties: false, description: 'Contact ids by role.' },
)

export const operationShape = Type.Object(
  {
    id: Type.String({ description: 'The id of the order.' }),
    type: oneOf(operationTypes),
    state: oneOf(operationStates),
    error: nullable(
      Type.Object(
        { code: Type.String(), detail: nullable(Type.String()) },
        { title: 'OrderError' },
      ),
    ),
    created_at: dateTime('When it was ordered.'),
    updated_at: dateTime('When it last changed.'),
  },
  { title: 'DomainOperation' },
)

export const nextAction = Type.Object(
  {
    type: Type.String(),
    hint: Type.String(),
    operation: Type.String({ description: 'The operation, which is also the MCP tool, for it.' }),
  },
  { title: 'DomainNextAction', description: 'The actions that are possible now.' },
)

/** The pending transfer of a domain of ours, stored with the holding as it is. */
export const transferOut = Type.Object({
  requested_by: Type.String({ description: "The other registrar's name at the registry." }),
  requested_at: dateTime('When it asked for the transfer.'),
  acts_at: dateTime('When the registry moves it, if it is not answered.'),
})

const transferAway = Type.Object(
  { direction: oneOf(['out'] as const), ...transferOut.properties },
  { title: 'DomainTransfer' },
)

const holdingFields = {
  domain: stringOf<DomainName>({ description: 'Lower-case A-labels.' }),
  domain_unicode: Type.String(),
  status: oneOf(statuses),
  nameservers: Type.Array(Type.String()),
  pending_nameservers: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The complete list that is still being set at the registry.',
    }),
  ),
  period_years: Type.Integer({ description: 'How many years were bought last.' }),
  registry_expiry: nullable(dateTime("The registry's own expiry date.")),
  epp_statuses: Type.Array(Type.String()),
  rgp_statuses: Type.Array(Type.String()),
  locked: Type.Boolean(),
  protected: Type.Boolean(),
  from_reserve: Type.Boolean(),
  auto_renew: Type.Boolean(),
  contacts: contactIds,
  operation: nullable(operationShape),
  transfer: nullable(transferAway),
  next_actions: Type.Array(nextAction),
}

const dnsRecord = Type.Object(
  {
    host: Type.String({ description: 'Relative to the domain; "@" is the domain itself.' }),
    value: Type.String({ description: 'The IPv4 address that is set.' }),
    serial: Type.Integer({ description: "Serial of the zone's SOA; it grows with every change." }),
    served: nullable(
      Type.String({
        description:
          'The address that our name server answered when it was asked just now; null when it ' +
          'did not answer with one.',
      }),
    ),
  },
  { title: 'DnsRecord' },
)

/** Checks that a dry run cannot make. */
export const uncheckedNames = [
  'auth_code',
  'transfer_lock',
  'contacts',
  'nameservers',
  'registry_acceptance',
] as const

export const domainStatus = Type.Object(
  {
    ...holdingFields,
    status: oneOf([...statuses, 'dry_run'] as const),
    expiry: nullable(dateTime('Until when it is paid; null while it is not ours.')),
    price: Type.Optional(price),
    dns: Type.Optional(dnsRecord),
    dry_run: Type.Optional(
      Type.Boolean({ description: 'True if this is a dry run, which does nothing.' }),
    ),
    not_checked: Type.Optional(
      Type.Array(Type.Object({ check: oneOf(uncheckedNames), detail: Type.String() }), {
        description: 'The checks that a dry run cannot make.',
      }),
    ),
  },
  { title: 'DomainStatusResponse' },
)
export type DomainStatus = Static<typeof domainStatus>

/** The state that stands against a change, as facts of its refusal. */
export const registryStatuses = {
  domain_status: oneOf(statuses),
  epp_statuses: Type.Array(Type.String()),
  rgp_statuses: Type.Array(Type.String()),
}

export const domainListEntry = Type.Object(
  { ...holdingFields, expires_at: nullable(dateTime('Until when it is paid.')) },
  { title: 'DomainListEntry' },
)
