// Validation of contact fields beyond their lengths; reports all invalid fields at once.
import { FieldReader } from '../../../kit/field-reader.ts'
import { countryCodeOf } from './countries.ts'
import { readPhone, withoutPrefixes } from './phone.ts'
import { isState, statesOf } from './states.ts'

/** The fields of a contact that registries receive. */
export type Facts = {
  name: string
  email: string
  company_name: string | null
  address: string
  address_line_2: string | null
  city: string
  state: string
  /** The country in any form that is accepted; ISO 3166-1 alpha-2 once it is read. */
  country: string
  zip: string
  phone_country_code: string
  phone_number: string
}
type FactsGiven = Omit<Facts, 'company_name' | 'address_line_2'> & {
  company_name?: string | null
  address_line_2?: string | null
}

/**
 * The facts as stored. Fields that belong together (state and country, the two of a number) are
 * checked when one of them is in `changed`, so that other fields of an old contact can be changed
 * after such a list has changed. Throws InvalidInput.
 */
export function readFacts(given: FactsGiven, changed: ReadonlySet<string>): Facts {
  const reading = new FieldReader()
  const facts: Facts = {
    name: reading.line('name', given.name),
    email: reading.email('email', given.email),
    company_name: reading.optionalLine('company_name', given.company_name),
    address: reading.line('address', given.address),
    address_line_2: reading.optionalLine('address_line_2', given.address_line_2),
    city: reading.line('city', given.city),
    state: reading.line('state', given.state),
    country: reading.line('country', given.country),
    zip: reading.line('zip', given.zip),
    phone_country_code: reading.line('phone_country_code', given.phone_country_code),
    phone_number: reading.line('phone_number', given.phone_number),
  }
  if (changed.has('state') || changed.has('country')) readPlace(reading, facts)
  if (changed.has('phone_country_code') || changed.has('phone_number')) {
    const phone = readPhone(facts)
    if ('wrong' in phone) reading.refuse([phone.wrong], phone.msg)
    else facts.phone_number = withoutPrefixes(facts.phone_number, phone.voice)
  }
  reading.finish()
  return facts
}

// All of them for nearly every country whose addresses name a state.
const most_codes = 60

function readPlace(reading: FieldReader, facts: Facts): void {
  const country = countryCodeOf(facts.country)
  if (country === undefined) {
    reading.refuse(
      ['country'],
      'Value is not a country; see /v1/contact-countries (list_contact_countries)',
    )
    return
  }
  facts.country = country
  if (isState(country, facts.state)) return
  const codes = statesOf(country).map(({ code }) => code)
  const listed = codes.slice(0, most_codes).join(', ')
  const more = codes.length > most_codes ? ', ...' : ''
  reading.refuse(
    ['state'],
    `Value is not a state of ${country}. Its states are ${listed}${more}; ` +
      `their names are at /v1/contact-states?country=${country} (list_contact_states)`,
  )
}

/** The facts after a change: absent fields stay, null removes an optional one. */
export function merged(before: Facts, change: Partial<Facts>): Facts {
  const { company_name = before.company_name, address_line_2 = before.address_line_2 } = change
  return {
    name: change.name ?? before.name,
    email: change.email ?? before.email,
    company_name,
    address: change.address ?? before.address,
    address_line_2,
    city: change.city ?? before.city,
    state: change.state ?? before.state,
    country: change.country ?? before.country,
    zip: change.zip ?? before.zip,
    phone_country_code: change.phone_country_code ?? before.phone_country_code,
    phone_number: change.phone_number ?? before.phone_number,
  }
}

/** Whether a registry would see a difference. */
export function differ(a: Facts, b: Facts): boolean {
  return JSON.stringify(merged(a, {})) !== JSON.stringify(merged(b, {}))
}
