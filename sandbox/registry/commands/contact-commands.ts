// contact:check, create, info, update, delete (RFC 5733), for the registry that keeps contacts.

import { dateTime } from '../../support/sandbox-clock.ts'
import type { Contact, PostalInfo } from '../model/records.ts'
import { CONTACT } from '../protocol/namespaces.ts'
import { Refused, type Reply } from '../protocol/reply.ts'
import { collapse, type Element, escapeXml } from '../protocol/xml.ts'
import { type Call, requireSponsor, touched } from './command-context.ts'
import {
  child,
  children,
  inOrder,
  optionalText,
  readAuthInfo,
  readNewAuthInfo,
  requiredText,
} from './field-parser.ts'
import { changeStatuses } from './statuses.ts'

const CREATE = 'id postalInfo voice fax email authInfo disclose'
const SETTABLE = ['Delete', 'Transfer', 'Update'].map((verb) => `client${verb}Prohibited`)

function readId(text: string): string {
  if (text.length < 3 || text.length > 16) throw new Refused(2005, 'id has 3 to 16 characters')
  return text
}

function readContact(call: Call): Contact {
  const id = readId(requiredText(call.body, 'id'))
  const contact = call.registry.contacts.get(id)
  if (contact === undefined) throw new Refused(2303, `the contact ${id} does not exist`)
  return contact
}

export function checkContacts(call: Call): Reply {
  const { profile, contacts } = call.registry
  inOrder(call.body, 'id')
  const ids = children(call.body, 'id').map((each) => readId(collapse(each.text)))
  if (ids.length === 0) throw new Refused(2003, 'id is required')
  if (ids.length > profile.names_per_check) throw new Refused(profile.too_many_names_code, 'ids')
  const entries = ids.map((id) =>
    contacts.has(id)
      ? `<contact:cd><contact:id avail="0">${escapeXml(id)}</contact:id>` +
        '<contact:reason>In use</contact:reason></contact:cd>'
      : `<contact:cd><contact:id avail="1">${escapeXml(id)}</contact:id></contact:cd>`,
  )
  return {
    code: 1000,
    data: `<contact:chkData xmlns:contact="${CONTACT}">${entries.join('')}</contact:chkData>`,
  }
}

export function createContact(call: Call): Reply {
  const { registry, body } = call
  inOrder(body, CREATE)
  const id = readId(requiredText(body, 'id'))
  const postal = children(body, 'postalInfo').map(readPostal)
  if (postal.length === 0) throw new Refused(2003, 'postalInfo is required')
  const auth_info = readNewAuthInfo(body, registry.profile)
  if (auth_info === null) throw new Refused(2003, 'authInfo is required')
  const contact: Contact = {
    id,
    roid: '',
    sponsor: call.registrar,
    creator: call.registrar,
    created_at: call.now,
    updater: null,
    updated_at: null,
    statuses: [],
    postal,
    voice: readPhone(body, 'voice') ?? null,
    fax: readPhone(body, 'fax') ?? null,
    email: readEmail(requiredText(body, 'email')),
    auth_info,
  }
  if (registry.contacts.has(id)) throw new Refused(2302, `the contact ${id} exists`)
  registry.contacts.put(id, { ...contact, roid: registry.roid('C') })
  return {
    code: 1000,
    data:
      `<contact:creData xmlns:contact="${CONTACT}"><contact:id>${escapeXml(id)}</contact:id>` +
      `<contact:crDate>${dateTime(call.now)}</contact:crDate></contact:creData>`,
  }
}

function readEmail(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new Refused(2005, 'email')
  return text
}

function readPhone(body: Element, name: string): Contact['voice'] | undefined {
  const element = child(body, name)
  if (element === undefined) return undefined
  const number = collapse(element.text)
  if (number === '') return null
  if (!/^\+[0-9]{1,3}\.[0-9]{1,14}$/.test(number) || number.length > 17) {
    throw new Refused(2005, `${name} is like +1.7035555555`)
  }
  return { number, x: element.attributes.get('x') ?? null }
}

function readPostal(element: Element): PostalInfo {
  inOrder(element, 'name org addr')
  const type = element.attributes.get('type') ?? ''
  if (type !== 'int' && type !== 'loc') throw new Refused(2005, 'postalInfo type')
  const addr = child(element, 'addr')
  if (addr === undefined) throw new Refused(2003, 'addr is required')
  inOrder(addr, 'street city sp pc cc')
  const cc = requiredText(addr, 'cc').toUpperCase()
  if (!/^[A-Z]{2}$/.test(cc)) throw new Refused(2005, 'cc has two letters')
  const info = {
    type,
    name: requiredText(element, 'name'),
    org: optionalText(element, 'org'),
    street: children(addr, 'street').map((each) => collapse(each.text)),
    city: requiredText(addr, 'city'),
    sp: optionalText(addr, 'sp'),
    pc: optionalText(addr, 'pc'),
    cc,
  }
  const all = [info.name, info.org, info.city, info.sp, ...info.street]
  if (all.some((text) => text !== null && text.length > 255)) throw new Refused(2005, 'too long')
  if (info.street.length > 3) throw new Refused(2001, 'at most three streets')
  // RFC 5733 section 2.3: "int" is a subset of Unicode that fits in 7-bit US-ASCII.
  if (type === 'int' && all.some((text) => text !== null && /[^ -~]/.test(text))) {
    throw new Refused(2005, 'postalInfo of type int is US-ASCII')
  }
  return info
}

export function infoContact(call: Call): Reply {
  inOrder(call.body, 'id authInfo')
  const contact = readContact(call)
  const shown = readAuthInfo(call.body)
  const ours = contact.sponsor === call.registrar
  if (shown && shown !== contact.auth_info) throw new Refused(2202, 'authInfo does not match')
  if (!ours && !shown) throw new Refused(2201, 'another registrar sponsors it')
  return { code: 1000, data: renderContact(call, contact) }
}

function renderContact(call: Call, contact: Contact): string {
  const tag = (name: string, text: string | null): string =>
    text === null ? '' : `<contact:${name}>${escapeXml(text)}</contact:${name}>`
  const phone = (name: string, phone: Contact['voice']): string =>
    phone === null
      ? ''
      : `<contact:${name}${phone.x === null ? '' : ` x="${escapeXml(phone.x)}"`}>` +
        `${phone.number}</contact:${name}>`
  const statuses = [...contact.statuses]
  if (call.registry.links.has(`contact ${contact.id}`)) statuses.push('linked')
  if (statuses.length === 0 || statuses[0] === 'linked') statuses.unshift('ok')
  const postal = contact.postal.map(
    (info) =>
      `<contact:postalInfo type="${info.type}">${tag('name', info.name)}${tag('org', info.org)}` +
      `<contact:addr>${info.street.map((street) => tag('street', street)).join('')}` +
      `${tag('city', info.city)}${tag('sp', info.sp)}${tag('pc', info.pc)}${tag('cc', info.cc)}` +
      '</contact:addr></contact:postalInfo>',
  )
  const updated = contact.updated_at === null ? null : dateTime(contact.updated_at)
  return (
    `<contact:infData xmlns:contact="${CONTACT}">${tag('id', contact.id)}` +
    tag('roid', contact.roid) +
    statuses.map((status) => `<contact:status s="${status}"/>`).join('') +
    `${postal.join('')}${phone('voice', contact.voice)}${phone('fax', contact.fax)}` +
    `${tag('email', contact.email)}${tag('clID', contact.sponsor)}${tag('crID', contact.creator)}` +
    `${tag('crDate', dateTime(contact.created_at))}${tag('upID', contact.updater)}` +
    `${tag('upDate', updated)}` +
    `<contact:authInfo>${tag('pw', contact.auth_info)}</contact:authInfo></contact:infData>`
  )
}

export function updateContact(call: Call): Reply {
  inOrder(call.body, 'id add rem chg')
  const contact = readContact(call)
  requireSponsor(call, contact)
  const [add, rem, chg] = ['add', 'rem', 'chg'].map((part) => child(call.body, part))
  if (!add && !rem && !chg) throw new Refused(2003, 'nothing to change')
  const statuses = changeStatuses({ before: contact.statuses, add, rem, settable: SETTABLE })
  const lock = 'clientUpdateProhibited'
  if (contact.statuses.includes(lock) && statuses.includes(lock)) throw new Refused(2304, lock)
  const changes = chg === undefined ? {} : readChanges(call, chg, contact)
  call.registry.contacts.put(contact.id, { ...contact, ...touched(call), ...changes, statuses })
  return { code: 1000 }
}

function readChanges(call: Call, chg: Element, contact: Contact): Partial<Contact> {
  inOrder(chg, 'postalInfo voice fax email authInfo disclose')
  const changed = children(chg, 'postalInfo').map((each) => {
    const before = contact.postal.find(({ type }) => type === each.attributes.get('type'))
    return readPostal(before === undefined ? each : completed(each, before))
  })
  const kept = contact.postal.filter(({ type }) => !changed.some((each) => each.type === type))
  const email = optionalText(chg, 'email')
  const voice = readPhone(chg, 'voice')
  const fax = readPhone(chg, 'fax')
  return {
    postal: [...kept, ...changed],
    voice: voice === undefined ? contact.voice : voice,
    fax: fax === undefined ? contact.fax : fax,
    email: email === null ? contact.email : readEmail(email),
    auth_info: readNewAuthInfo(chg, call.registry.profile) ?? contact.auth_info,
  }
}

/**
 * In an update, the name, org and addr of a postalInfo may each be left out, and then stay as they
 * are.
 */
function completed(element: Element, before: PostalInfo): Element {
  const make = (name: string, text: string, children: Element[] = []): Element => {
    return { ns: CONTACT, name, attributes: new Map(), children, text }
  }
  const addr = make('addr', '', [
    ...before.street.map((street) => make('street', street)),
    make('city', before.city),
    ...(before.sp === null ? [] : [make('sp', before.sp)]),
    ...(before.pc === null ? [] : [make('pc', before.pc)]),
    make('cc', before.cc),
  ])
  const parts = [
    child(element, 'name') ?? make('name', before.name),
    child(element, 'org') ?? (before.org === null ? undefined : make('org', before.org)),
    child(element, 'addr') ?? addr,
  ]
  return { ...element, children: parts.filter((part) => part !== undefined) }
}

export function deleteContact(call: Call): Reply {
  inOrder(call.body, 'id')
  const contact = readContact(call)
  requireSponsor(call, contact)
  const lock = 'clientDeleteProhibited'
  if (contact.statuses.includes(lock)) throw new Refused(2304, lock)
  if (call.registry.links.has(`contact ${contact.id}`)) throw new Refused(2305, 'it is linked')
  call.registry.contacts.remove(contact.id)
  return { code: 1000 }
}
