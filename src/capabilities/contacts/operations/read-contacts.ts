// Lists the contacts of a customer, or reads one.
import Type from 'typebox'
import { operation, ownerOf } from '../../../app.ts'
import { items_at_once, pageOf, wholeList } from '../../../replies/listing.ts'
import { contactId, contactOf, contactResponse, customerId } from '../contact.ts'
import { contactOfId, contactsOfCustomer } from '../contacts.sql.ts'
import { contactNotFound } from '../faults.ts'

const hints = {
  group: 'contacts',
  destructive: false,
  idempotent: true,
  open_world: false,
} as const

export const listContacts = operation({
  name: 'list_contacts',
  does: 'List the contact handles of the account, oldest first.',
  at: 'GET /v1/customers/{customer_id}/contacts',
  area: 'Contacts',
  who: ownerOf('contacts:read'),
  takes: Type.Object({ customer_id: customerId }),
  gives: Type.Array(contactResponse),
  fails: [],
  effect: 'none',
  tools: [{ ...hints, title: 'List contacts', examples: [{}] }],
  run: (_input, { sql, customer_id }) =>
    wholeList(async (after) => {
      const wanted = { customer_id, after: after ?? 0n, limit: items_at_once + 1 }
      const { items, next } = pageOf(await sql.run(contactsOfCustomer, wanted))
      return { items: items.map(contactOf), next }
    }),
})

export const getContact = operation({
  name: 'get_contact',
  does: 'Read a contact handle.',
  at: 'GET /v1/customers/{customer_id}/contacts/{contact_id}',
  area: 'Contacts',
  who: ownerOf('contacts:read'),
  takes: Type.Object({ customer_id: customerId, contact_id: contactId }),
  gives: contactResponse,
  fails: [contactNotFound],
  effect: 'none',
  tools: [{ ...hints, title: 'Read a contact', examples: [{ contact_id: 7 }] }],
  async run({ contact_id }, call) {
    const row = await call.sql.maybe(contactOfId, {
      customer_id: call.customer_id,
      id: BigInt(contact_id),
    })
    if (!row) throw contactNotFound()
    return contactOf(row)
  },
})
