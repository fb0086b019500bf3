// Contacts: request and response schemas, in the contract's order.

import Type, { type Static } from 'typebox'
import type { CustomerId } from '../../kit/random.ts'
import { dateTime, nullable, stringOf, withDefault } from '../../kit/schema.ts'
import type { ContactRow } from './contacts.sql.ts'

export const contactRoles = ['registrant', 'admin', 'technical', 'billing'] as const
export type ContactRole = (typeof contactRoles)[number]

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })
const handle = text(120, 'Short name, unique per customer; it never changes.')
const newHandle = text(120, 'Short name, unique per customer; generated if left out.')
const company = Type.String({ maxLength: 200, description: 'The organization, if any.' })
const secondLine = Type.String({
  maxLength: 300,
  description: 'For example a flat, or a "care of".',
})
const flag = (role: string) => Type.Boolean({ description: `The default ${role} of new domains.` })

const facts = {
  name: text(200, 'A person, or a role at an organization.'),
  email: Type.String({ minLength: 3, maxLength: 320, description: 'Email address.' }),
  address: text(300, 'The street and the number.'),
  city: text(120, 'The city.'),
  state: text(
    120,
    'State or province, by name or code ("US-CA" or "CA"); see list_contact_states.',
  ),
  country: Type.String({
    minLength: 2,
    maxLength: 120,
    description: 'The ISO 3166-1 code or the English name. It is stored as the two-letter code.',
  }),
  zip: text(32, 'The postal code.'),
  phone_country_code: text(8, 'Telephone country code, e.g. +31.'),
  phone_number: text(
    32,
    'Telephone number without the country code, and without a 0 dialed before it.',
  ),
}

export const customerId = stringOf<CustomerId>({
  description: 'The customer. The caller, if it is left out.',
})
export const contactId = Type.Integer({ description: 'The contact.' })

export const createFields = {
  handle: Type.Optional(nullable(newHandle)),
  name: facts.name,
  email: facts.email,
  company_name: Type.Optional(nullable(company)),
  address: facts.address,
  address_line_2: Type.Optional(nullable(secondLine)),
  city: facts.city,
  state: facts.state,
  country: facts.country,
  zip: facts.zip,
  phone_country_code: facts.phone_country_code,
  phone_number: facts.phone_number,
  default_registrant: withDefault(flag('registrant'), false),
  default_admin: withDefault(flag('admin contact'), false),
  default_technical: withDefault(flag('technical contact'), false),
  default_billing: withDefault(flag('billing contact'), false),
}

export const updateFields = {
  name: Type.Optional(facts.name),
  email: Type.Optional(facts.email),
  company_name: Type.Optional(nullable(company)),
  address: Type.Optional(facts.address),
  address_line_2: Type.Optional(nullable(secondLine)),
  city: Type.Optional(facts.city),
  state: Type.Optional(facts.state),
  country: Type.Optional(facts.country),
  zip: Type.Optional(facts.zip),
  phone_country_code: Type.Optional(facts.phone_country_code),
  phone_number: Type.Optional(facts.phone_number),
  default_registrant: Type.Optional(flag('registrant')),
  default_admin: Type.Optional(flag('admin contact')),
  default_technical: Type.Optional(flag('technical contact')),
  default_billing: Type.Optional(flag('billing contact')),
}

export const contactResponse = Type.Object(
  {
    handle,
    name: facts.name,
    email: facts.email,
    company_name: nullable(company),
    address: facts.address,
    address_line_2: nullable(secondLine),
    city: facts.city,
    state: facts.state,
    country: Type.String({ description: 'ISO 3166-1 alpha-2.' }),
    zip: facts.zip,
    phone_country_code: facts.phone_country_code,
    phone_number: facts.phone_number,
    default_registrant: flag('registrant'),
    default_admin: flag('admin contact'),
    default_technical: flag('technical contact'),
    default_billing: flag('billing contact'),
    id: Type.Integer({ description: 'The contact_id of other operations.' }),
    customer_id: stringOf<CustomerId>({ description: 'The customer that the contact belongs to.' }),
    created_at: dateTime('When it was created.'),
    updated_at: dateTime('When it was last changed.'),
  },
  { title: 'ContactHandleResponse' },
)
type Contact = Static<typeof contactResponse>

/** The response for a row. */
export function contactOf(row: ContactRow): Contact {
  const { id, version: _, created_at, updated_at, customer_id, ...fields } = row
  return {
    ...fields,
    id: Number(id),
    customer_id,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
