// The parts that domain:create and domain:update share: period, name servers, contacts, DS records.

import { parseName } from '../model/names.ts'
import { MAX_YEARS } from '../model/profiles.ts'
import type { DsRecord, Nameserver } from '../model/records.ts'
import { SEC_DNS } from '../protocol/namespaces.ts'
import { Refused } from '../protocol/reply.ts'
import { collapse, type Element } from '../protocol/xml.ts'
import type { Call } from './command-context.ts'
import { child, children, inOrder, readAddresses, requiredText } from './field-parser.ts'

/** The years of domain:period, 1 by default. @throws Refused 2004, 2306 */
export function readYears(body: Element): number {
  const period = child(body, 'period')
  if (period === undefined) return 1
  const unit = period.attributes.get('unit')
  if (unit === undefined) throw new Refused(2003, 'period has no unit')
  if (unit !== 'y') throw new Refused(2306, 'periods are in years')
  const years = Number(collapse(period.text))
  if (!Number.isInteger(years) || years < 1 || years > 99) throw new Refused(2004, 'period')
  if (years > MAX_YEARS) throw new Refused(2306, `at most ${MAX_YEARS} years`)
  return years
}

/** The domain:ns element by the registry's host model; host objects must exist. */
export function readNameservers(call: Call, element: Element | undefined): Nameserver[] {
  const ns = element === undefined ? undefined : child(element, 'ns')
  if (ns === undefined) return []
  const { profile, hosts } = call.registry
  inOrder(ns, profile.host_model)
  if (ns.children.length === 0) throw new Refused(2003, `${profile.host_model} is required`)
  if (profile.host_model === 'hostAttr') return children(ns, 'hostAttr').map(readHostAttr)
  return children(ns, 'hostObj').map((each) => {
    const name = parseName(collapse(each.text))
    if (!hosts.has(name)) throw new Refused(2303, `the host ${name} does not exist`)
    return { name, addresses: [] }
  })
}

function readHostAttr(element: Element): Nameserver {
  inOrder(element, 'hostName hostAddr')
  const name = parseName(requiredText(element, 'hostName'))
  return { name, addresses: readAddresses(element, 'hostAddr') }
}

/** A name server within its own domain needs an address (glue). */
export function requireGlue(domain: string, nameservers: Nameserver[]): void {
  const bare = nameservers.find(
    ({ name, addresses }) => `.${name}`.endsWith(`.${domain}`) && addresses.length === 0,
  )
  if (bare !== undefined) throw new Refused(2003, `${bare.name} needs an address`)
}

/**
 * The domain:contact elements, which are required where contacts are objects and prohibited
 * elsewhere.
 */
export function readContacts(call: Call, element: Element): { type: string; id: string }[] {
  return children(element, 'contact').map((each) => {
    const type = each.attributes.get('type') ?? ''
    const id = collapse(each.text)
    if (!['admin', 'tech', 'billing'].includes(type)) throw new Refused(2005, 'contact type')
    requireContact(call, id)
    return { type, id }
  })
}

/** @throws Refused 2306 where contacts are prohibited, 2303 when there is no such contact */
export function requireContact(call: Call, id: string): void {
  if (call.registry.profile.contacts === 'prohibited') {
    throw new Refused(2306, 'this registry keeps no contacts')
  }
  if (!call.registry.contacts.has(id)) throw new Refused(2303, `the contact ${id} does not exist`)
}

/** A thick domain has a registrant, an admin and a tech. @throws Refused 2003 */
export function requireRoles(
  call: Call,
  people: { registrant: string | null; contacts: { type: string }[] },
): void {
  if (call.registry.profile.contacts !== 'required') return
  if (people.registrant === null) throw new Refused(2003, 'registrant is required')
  for (const role of ['admin', 'tech']) {
    if (people.contacts.some(({ type }) => type === role)) continue
    throw new Refused(2003, `a contact of type ${role} is required`)
  }
}

/** The dsData of a secDNS element (RFC 5910). @throws Refused 2306 for the key data interface */
function readDs(element: Element): DsRecord[] {
  if (child(element, 'keyData') !== undefined) throw new Refused(2306, 'send dsData, not keyData')
  return children(element, 'dsData').map((ds) => {
    const digest = requiredText(ds, 'digest').toUpperCase()
    if (!/^(?:[0-9A-F]{2})+$/.test(digest)) throw new Refused(2005, 'digest is hexadecimal')
    return {
      key_tag: readNumber(ds, 'keyTag', 65_535),
      alg: readNumber(ds, 'alg', 255),
      digest_type: readNumber(ds, 'digestType', 255),
      digest,
    }
  })
}

function readNumber(element: Element, name: string, most: number): number {
  const value = Number(requiredText(element, name))
  if (!Number.isInteger(value) || value < 0 || value > most) throw new Refused(2005, name)
  return value
}

/** The DS records of a create. */
export function createdDs(call: Call): DsRecord[] {
  const element = call.extensions.get(SEC_DNS)
  return element === undefined ? [] : readDs(element)
}

/** The DS records after an update, which first removes and then adds. */
export function updatedDs(call: Call, before: DsRecord[]): DsRecord[] {
  const element = call.extensions.get(SEC_DNS)
  if (element === undefined) return before
  inOrder(element, 'rem add chg')
  let after = before
  const removal = child(element, 'rem')
  if (removal !== undefined) {
    const all = child(removal, 'all')
    const gone = readDs(removal).map(keyOf)
    const emptied = all !== undefined && ['true', '1'].includes(collapse(all.text))
    if (gone.some((key) => !before.map(keyOf).includes(key))) {
      throw new Refused(2303, 'a DS record to remove is not there')
    }
    after = emptied ? [] : before.filter((ds) => !gone.includes(keyOf(ds)))
  }
  const addition = child(element, 'add')
  return addition === undefined ? after : [...after, ...readDs(addition)]
}

function keyOf(ds: DsRecord): string {
  return `${ds.key_tag} ${ds.alg} ${ds.digest_type} ${ds.digest}`
}
