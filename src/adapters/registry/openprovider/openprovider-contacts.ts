// Contacts as customers of Openprovider, with the handles that it assigns. The customer's comments
// contain the id of our contact, so that the handle is found again after any crash.

import type { Outcome, Priority, RegisterCommand, RegistryContact } from '../port.ts'
import { answers, type FoundCustomer } from './openprovider-answers.ts'
import { type Link, mapDone } from './openprovider-connection.ts'

const mark = (id: string) => `agent-registrar contact ${id}`
const formerMark = (id: string) => `agent-registrar former contact ${id}`

/** The customers that represent one of our contacts, newest first. */
async function customersOf(
  link: Link,
  id: string,
  priority: Priority,
): Promise<Outcome<FoundCustomer[]>> {
  const query = { comment_pattern: mark(id), limit: 100 }
  const call = { method: 'GET' as const, path: '/customers', query, repeat: true }
  return mapDone(await link.send(call, answers.customers, { priority }), ({ results = [] }) =>
    results
      .filter(({ comments, is_deleted }) => comments === mark(id) && !is_deleted)
      .sort((a, b) => (b.id ?? 0) - (a.id ?? 0) || b.handle.localeCompare(a.handle)),
  )
}

/**
 * Creates the customer, or updates the existing one to the same facts. A name cannot be changed
 * there, so another name makes another customer, and the previous one is no longer used. Repeated
 * after a lost answer, it finds the customer that the first attempt made.
 */
export async function putContact(
  link: Link,
  contact: RegistryContact,
  priority: Priority,
): Promise<Outcome<{ id: string }>> {
  const { id } = contact
  const found = await customersOf(link, id, priority)
  if (found.kind !== 'done') return found
  const same = found.value.find((customer) => isNamed(customer, contact))
  const put = await (same
    ? change(link, { handle: same.handle, ...factsOf(contact), comments: mark(id) }, priority)
    : create(link, contact, priority))
  if (put.kind !== 'done') return put
  for (const { handle } of found.value) {
    if (handle === same?.handle) continue
    const retired = await change(link, { handle, comments: formerMark(id) }, priority)
    if (retired.kind !== 'done') return retired
  }
  return { kind: 'done', value: { id }, sv_trid: null }
}

function isNamed(customer: FoundCustomer, contact: RegistryContact): boolean {
  const { first_name, last_name } = nameOf(contact)
  const { name, company_name = '' } = customer
  const sameName = name?.first_name === first_name && name.last_name === last_name
  return sameName && company_name === (contact.organization ?? '')
}

async function create(
  link: Link,
  contact: RegistryContact,
  priority: Priority,
): Promise<Outcome<unknown>> {
  const body = {
    ...factsOf(contact),
    comments: mark(contact.id),
    name: nameOf(contact),
    company_name: contact.organization ?? '',
  }
  return link.send({ method: 'POST', path: '/customers', body }, answers.customer, { priority })
}

async function change(
  link: Link,
  body: { handle: string; comments: string },
  priority: Priority,
): Promise<Outcome<unknown>> {
  const path = `/customers/${encodeURIComponent(body.handle)}`
  return link.send({ method: 'PUT', path, body }, answers.anything, { priority })
}

/** In "Ada King Lovelace", the last word is the family name. A single word is used as both. */
function nameOf({ name }: RegistryContact) {
  const words = name.split(/\s+/).filter((word) => word !== '')
  const last_name = words.at(-1) ?? ''
  const first_name = words.slice(0, -1).join(' ') || last_name
  const initials = words.slice(0, -1).map((word) => `${word[0]}.`)
  return {
    first_name,
    last_name,
    full_name: name,
    initials: initials.join('') || `${last_name[0]}.`,
  }
}

function factsOf(contact: RegistryContact) {
  const [, country_code = '', digits = ''] = /^(\+\d{1,3})\.(\d+)/.exec(contact.voice) ?? []
  // Openprovider wants three parts of a number, but ours has two.
  const area = digits.length > 5 ? 3 : 1
  return {
    email: contact.email,
    phone: {
      country_code,
      area_code: digits.slice(0, area),
      subscriber_number: digits.slice(area),
    },
    address: {
      ...registrarOf(contact.street),
      city: contact.city,
      state: contact.state ?? '',
      zipcode: contact.postal_code,
      country: contact.country_code,
    },
  }
}

/**
 * "12 Example Street" and "Example Street 12 a" have a separate number; other streets have none.
 */
function registrarOf(lines: string[]): { street: string; number: string; suffix: string } {
  const [first = '', ...rest] = lines
  const suffix = rest.join(', ')
  const before = /^(\d+[a-z]?)[ ,]+(\D.*)$/i.exec(first)
  if (before) return { street: before[2] ?? first, number: before[1] ?? '', suffix }
  const after = /^(.*\D)[ ,]+(\d+(?: ?[a-z])?)$/i.exec(first)
  if (after) return { street: after[1] ?? first, number: after[2] ?? '', suffix }
  return { street: first, number: '', suffix }
}

type Handles = {
  owner_handle: string
  admin_handle: string
  tech_handle: string
  billing_handle: string
}
type Contacts = Pick<RegisterCommand, 'contacts'> & { registrant?: string | null }

/** The handles of an order's contacts; a role without a contact gets the registrant's. */
export async function handlesOf(
  link: Link,
  { registrant, contacts }: Contacts,
  priority: Priority,
): Promise<Outcome<Handles>> {
  if (!registrant) return refused('Openprovider registers nothing without a registrant')
  const ids = [...new Set([registrant, ...contacts.map(({ id }) => id)])]
  const known = new Map<string, string>()
  for (const id of ids) {
    const found = await customersOf(link, id, priority)
    if (found.kind !== 'done') return found
    const handle = found.value[0]?.handle
    if (handle === undefined) return refused(`Openprovider has no customer for contact ${id}`)
    known.set(id, handle)
  }
  const handleOf = (type: 'admin' | 'tech' | 'billing') => {
    const id = contacts.find((one) => one.type === type)?.id ?? registrant
    return known.get(id) ?? ''
  }
  const value = {
    owner_handle: known.get(registrant) ?? '',
    admin_handle: handleOf('admin'),
    tech_handle: handleOf('tech'),
    billing_handle: handleOf('billing'),
  }
  return { kind: 'done', value, sv_trid: null }
}

function refused(message: string): Outcome<never> {
  return { kind: 'refused', reason: 'bad_request', code: null, message, sv_trid: null }
}
