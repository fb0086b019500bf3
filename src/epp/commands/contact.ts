// Commands on contact objects (RFC 5733).
import { UnwritableCommand } from '../errors.ts'
import { dataOf, requiredMoment, sameId } from '../replies/reply.ts'
import {
  attribute,
  child,
  childrenOf,
  childWords,
  type Element,
  flag,
  ns,
  requiredWords,
  words,
} from '../xml/xml.ts'
import {
  type Command,
  commandFrame,
  counted,
  deleteCommand,
  each,
  identifier,
  line,
  nothing,
  objectAction,
  password,
  token,
} from './command.ts'

type ContactFacts = {
  name: string
  organization: string | null
  street: readonly string[]
  city: string
  state: string | null
  postal_code: string
  /** The country, by ISO 3166-1 alpha-2. */
  country_code: string
  /** A number such as `+48.501234567`, or empty for none. */
  voice: string
  email: string
}

const required = { min: 1, max: 255 }
const optional = { min: 0, max: 255 }

/**
 * `int` is for ASCII only, and `loc` accepts any UTF-8 (RFC 5733 section 2.4). Every registry
 * accepts `int`.
 */
function postalType(facts: ContactFacts): 'int' | 'loc' {
  const { name, organization, street, city, state, postal_code } = facts
  const text = [name, organization, ...street, city, state, postal_code].join('')
  return /^[ -~]*$/.test(text) ? 'int' : 'loc'
}

/**
 * The element `<contact:postalInfo>`. An empty organization is written, so that an update removes
 * the old one.
 */
function postalInfo(facts: ContactFacts): string {
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

/** The elements `<contact:voice>` and `<contact:email>`. */
function reachable(facts: ContactFacts): string {
  if (!/^(\+[0-9]{1,3}\.[0-9]{1,14})?$/.test(facts.voice) || facts.voice.length > 17) {
    throw new UnwritableCommand('A telephone number must look like +48.501234567')
  }
  const email = token(facts.email, 'E-mail', { min: 1, max: 255 })
  return `<contact:voice>${facts.voice}</contact:voice><contact:email>${email}</contact:email>`
}

/**
 * Reads the facts of an infData, and prefers the `int` form if there are two. Throws GarbageInput
 * if parts are missing.
 */
function readFacts(data: Element): ContactFacts {
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

/**
 * Contact <check> (RFC 5733 section 3.1.1). The answers are by id, and true if it is free to be
 * created.
 */
export const contactCheck: Command<{ ids: readonly string[] }, Map<string, boolean | null>> = {
  name: 'contact check',
  transforms: false,
  frame({ ids }, cl_trid) {
    const list = each(counted(ids, 'Ids'), (id) => `<contact:id>${identifier(id)}</contact:id>`)
    return commandFrame(cl_trid, objectAction('check', 'contact', list))
  },
  parse(reply, { ids }) {
    const wanted = new Map(ids.map((id) => [id.toLowerCase(), id]))
    const answer = new Map<string, boolean | null>()
    for (const cd of dataOf(reply, ns.contact, 'chkData').children) {
      const element = child(cd, ns.contact, 'id')
      const id = element && wanted.get(words(element).toLowerCase())
      if (element && id !== undefined) answer.set(id, flag(element, 'avail'))
    }
    return answer
  },
}

type ContactInfoInput = { id: string; auth_info: string | null }
type ContactInfo = ContactFacts & {
  id: string
  roid: string
  statuses: string[]
  sponsor: string
}

/** Contact <info> (RFC 5733 section 3.1.2). */
export const contactInfo: Command<ContactInfoInput, ContactInfo> = {
  name: 'contact info',
  transforms: false,
  frame({ id, auth_info }, cl_trid) {
    const auth =
      auth_info === null
        ? ''
        : `<contact:authInfo><contact:pw>${password(auth_info)}</contact:pw></contact:authInfo>`
    const inside = `<contact:id>${identifier(id)}</contact:id>${auth}`
    return commandFrame(cl_trid, objectAction('info', 'contact', inside))
  },
  parse(reply, { id }) {
    const data = dataOf(reply, ns.contact, 'infData')
    return {
      ...readFacts(data),
      id: sameId(data, id),
      roid: requiredWords(data, ns.contact, 'roid'),
      statuses: childrenOf(data, ns.contact, 'status').flatMap((it) => attribute(it, 's') ?? []),
      sponsor: requiredWords(data, ns.contact, 'clID'),
    }
  },
}

export type ContactCreateInput = ContactFacts & { id: string; auth_info: string }

/** Contact <create> (RFC 5733 section 3.2.1). */
export const contactCreate: Command<ContactCreateInput, { id: string; created_at: string }> = {
  name: 'contact create',
  transforms: true,
  frame(input, cl_trid) {
    const auth = `<contact:pw>${password(input.auth_info)}</contact:pw>`
    const inside =
      `<contact:id>${identifier(input.id)}</contact:id>${postalInfo(input)}${reachable(input)}` +
      `<contact:authInfo>${auth}</contact:authInfo>`
    return commandFrame(cl_trid, objectAction('create', 'contact', inside))
  },
  parse(reply, { id }) {
    const data = dataOf(reply, ns.contact, 'creData')
    return {
      id: sameId(data, id),
      created_at: requiredMoment(data, ns.contact, 'crDate'),
    }
  },
}

type ContactUpdateInput = ContactFacts & { id: string }

/**
 * Contact <update> (RFC 5733 section 3.2.5), which sends all the facts at once, so that it may be
 * repeated.
 */
export const contactUpdate: Command<ContactUpdateInput, null> = {
  name: 'contact update',
  transforms: true,
  frame(input, cl_trid) {
    const inside =
      `<contact:id>${identifier(input.id)}</contact:id>` +
      `<contact:chg>${postalInfo(input)}${reachable(input)}</contact:chg>`
    return commandFrame(cl_trid, objectAction('update', 'contact', inside))
  },
  parse: nothing,
}

/** Contact <delete> (RFC 5733 section 3.2.2). */
export const contactDelete = deleteCommand('contact', 'id')
