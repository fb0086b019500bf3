// Contacts that a purchase names.

import type { Sql } from '../../db/database.ts'
import { type InvalidField, InvalidInput } from '../../kit/fault.ts'
import type { CustomerId } from '../../kit/random.ts'
import { type ContactRole, contactRoles } from './contact.ts'
import { firstContact, ownedContacts } from './contacts.sql.ts'

export type ContactIds = Partial<Record<ContactRole, number>>
export type RequestedContacts = {
  /** Contact ids by role. */
  contacts?: ContactIds
  /** One contact for every role that `contacts` does not name: its id or its handle. */
  contact?: number | string | null
}

/**
 * The ids of contacts that are named, by role. Throws InvalidInput (422) for an id or handle that
 * is not one of this customer's contacts.
 */
export async function namedContacts(
  sql: Sql,
  customer_id: CustomerId,
  { contacts = {}, contact = null }: RequestedContacts,
): Promise<ContactIds> {
  const ids = [...Object.values(contacts), ...(typeof contact === 'number' ? [contact] : [])]
  if (ids.length === 0 && contact === null) return {}
  const handle = typeof contact === 'string' ? contact : null
  const rows = await sql.run(ownedContacts, { customer_id, ids: ids.map(BigInt), handle })
  const owned = new Set(rows.map(({ id }) => Number(id)))
  const byHandle = rows.find(({ by_handle }) => by_handle === true)
  const forAll = typeof contact === 'number' ? contact : byHandle && Number(byHandle.id)
  const problems = contactRoles
    .filter((role) => contacts[role] !== undefined && !owned.has(contacts[role]))
    .map((role) => noContact(['contacts', role]))
  if (contact !== null && (forAll === undefined || !owned.has(forAll)))
    problems.push(noContact(['contact']))
  if (problems.length > 0) throw new InvalidInput(problems)
  const named: ContactIds = {}
  for (const role of contactRoles) {
    const id = contacts[role] ?? forAll
    if (id !== undefined) named[role] = id
  }
  return named
}

/** A contact that a purchase could name if none is the default, or null if the account has none. */
export async function usableContact(
  sql: Sql,
  customer_id: CustomerId,
): Promise<{ id: number; handle: string } | null> {
  const found = await sql.maybe(firstContact, { customer_id })
  return found ? { id: Number(found.id), handle: found.handle } : null
}

function noContact(path: string[]): InvalidField {
  return { path, msg: 'Value is not a contact of this customer', type: 'value_error' }
}
