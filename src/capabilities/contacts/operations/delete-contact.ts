// Deletes an unused contact handle.
import Type from 'typebox'
import { operation, ownerOf } from '../../../app.ts'
import { contactId, customerId } from '../contact.ts'
import { deleteContact, isStillUsed } from '../contacts.sql.ts'
import { contactInUse, contactNotFound } from '../faults.ts'

export const deleteContactHandle = operation({
  name: 'delete_contact',
  does: 'Delete a contact handle that no domain and no open order uses.',
  at: 'DELETE /v1/customers/{customer_id}/contacts/{contact_id}',
  area: 'Contacts',
  who: ownerOf('contacts:write'),
  takes: Type.Object({ customer_id: customerId, contact_id: contactId }),
  gives: Type.Null(),
  status: 204,
  fails: [contactNotFound, contactInUse],
  effect: 'transaction',
  target: ({ contact_id }) => ({ target_type: 'contact', target: String(contact_id) }),
  tools: [
    {
      group: 'contacts',
      title: 'Delete a contact',
      examples: [{ contact_id: 7 }],
      destructive: true,
      idempotent: true,
      open_world: false,
    },
  ],
  async run({ contact_id }, call) {
    const id = BigInt(contact_id)
    const deleted = await call.sql
      .maybe(deleteContact, { customer_id: call.customer_id, id })
      .catch((error) => {
        throw isStillUsed(error) ? contactInUse({ cause: error }) : error
      })
    if (!deleted) throw contactNotFound()
    call.note({ handle: deleted.handle })
    return null
  },
})
