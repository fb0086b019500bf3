// The facts of a contact object (RFC 5733 section 2) as they are written and read.
import { UnwritableCommand } from '../errors.ts'
import { ns } from '../xml/namespaces.ts'
import {
  attribute,
  child,
  childrenOf,
  childWords,
  type Element,
  requiredWords,
  words,
} from '../xml/xml.ts'
import { counted, each, line, token } from './command.ts'

export type ContactFacts = {
  name: string
  organization: string | null
  street: readonly string[]
  city: string
  state: string | null
  postal_code: string
  /** ISO 3166-1 alpha-2. */
  country_code: string
  /** `+48.501234567`, or empty for none. */
  voice: string
  email: string
}

const required = { min: 1, max: 255 }
const optional = { min: 0, max: 255 }

/**
 * `int` is for ASCII only, `loc` takes any UTF-8 (RFC 5733 section 2.4); `int` is what every
 * registry takes.
 */
function postalType(facts: ContactFacts): 'int' | 'loc' {
  const { name, organization, street, city, state, postal_code } = facts
  const text = [name, organization, ...street, city, state, postal_code].join('')
  return /^[ -~]*$/.test(text) ? 'int' : 'loc'
}

/**
 * `<contact:postalInfo>`. An empty organization is written, so that an update takes the old one
 * away.
 */
export function postalInfo(facts: ContactFacts): string {
  const streets = facts.street.length === 0 ? facts.street : counted(facts.street, 'Streets', 3)
  const state =
    facts.state === null ? '' : `<contact:sp>${line(facts.state, 'State', optional)}</contact:sp>`
  return (
    `<contact:postalInfo type="${postalType(facts)}">` +
    `<contact:name>${line(facts.name, 'Name', required)}</contact:name>` +
    `<contact:org>${line(facts.organization ?? '', 'Organization', optional)}</contact:org>` +
    '<contact:addr>' +
    each(
      streets,
      (street) => `<contact:street>${line(street, 'Street', optional)}</contact:street>`,
    ) +
    `<contact:city>${line(facts.city, 'City', required)}</contact:city>${state}` +
    `<contact:pc>${token(facts.postal_code, 'Postal code', { min: 0, max: 16 })}</contact:pc>` +
    `<contact:cc>${token(facts.country_code, 'Country', { min: 2, max: 2 })}</contact:cc>` +
    '</contact:addr></contact:postalInfo>'
  )
}

/** `<contact:voice>` and `<contact:email>`. */
export function reachable(facts: ContactFacts): string {
  if (!/^(\+[0-9]{1,3}\.[0-9]{1,14})?$/.test(facts.voice) || facts.voice.length > 17) {
    throw new UnwritableCommand('A telephone number must look like +48.501234567')
  }
  const email = token(facts.email, 'E-mail', { min: 1, max: 255 })
  return `<contact:voice>${facts.voice}</contact:voice><contact:email>${email}</contact:email>`
}

/**
 * Reads the facts of an infData: the `int` form where there are two. Throws GarbageInput when parts
 * are missing.
 */
export function readFacts(data: Element): ContactFacts {
  const forms = childrenOf(data, ns.contact, 'postalInfo')
  const info = forms.find((form) => attribute(form, 'type') === 'int') ?? forms[0]
  const address = info && child(info, ns.contact, 'addr')
  return {
    name: info ? requiredWords(info, ns.contact, 'name') : '',
    organization: (info && childWords(info, ns.contact, 'org')) || null,
    street: address ? childrenOf(address, ns.contact, 'street').map(words) : [],
    city: address ? requiredWords(address, ns.contact, 'city') : '',
    state: (address && childWords(address, ns.contact, 'sp')) || null,
    postal_code: (address && childWords(address, ns.contact, 'pc')) ?? '',
    country_code: address ? requiredWords(address, ns.contact, 'cc') : '',
    voice: childWords(data, ns.contact, 'voice') ?? '',
    email: requiredWords(data, ns.contact, 'email'),
  }
}
