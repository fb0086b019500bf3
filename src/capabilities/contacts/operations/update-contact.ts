// Updates a contact handle; sync-contacts.job.ts sends the change to registries that have it.
import Type from 'typebox'
import { operation, ownerOf } from '../../../app.ts'
import { customerAbsent, freshLogInNeeded, lockCustomer } from '../../account/index.ts'
import { approvalDeclined, tooManyApprovals } from '../../approvals/index.ts'
import { approvalRequired } from '../../limits/index.ts'
import { contactId, contactOf, contactResponse, customerId, updateFields } from '../contact.ts'
import { clearDefaults, contactOfId, notifyChanged, updateContact } from '../contacts.sql.ts'
import { contactNotFound } from '../faults.ts'
import { differ, merged, readFacts } from '../fields/contact-fields.ts'
import { guardRegistrant } from './guard-registrant.ts'

export const updateContactHandle = operation({
  name: 'update_contact',
  does: 'Change a contact handle, including where domains use it.',
  more:
    'Send at least one field; fields that are left out stay. Null removes company_name or ' +
    'address_line_2. The handle itself never changes. Registries are updated within a minute.',
  at: 'PATCH /v1/customers/{customer_id}/contacts/{contact_id}',
  area: 'Contacts',
  who: ownerOf('contacts:write'),
  takes: Type.Object(
    { customer_id: customerId, contact_id: contactId, ...updateFields },
    { title: 'ContactHandleUpdateRequest' },
  ),
  gives: contactResponse,
  fails: [
    ...[contactNotFound, customerAbsent, freshLogInNeeded],
    ...[approvalRequired, approvalDeclined, tooManyApprovals],
  ],
  effect: 'transaction',
  at_least_one_of: Object.keys(updateFields),
  target: ({ customer_id: _customer, contact_id, ...change }, contact) => ({
    target_type: 'contact',
    target: String(contact_id),
    metadata: {
      ...(contact && { handle: contact.handle }),
      fields: Object.keys(change).sort(),
    },
  }),
  tools: [
    {
      group: 'contacts',
      title: 'Change a contact',
      examples: [{ contact_id: 7, email: 'ada@example.org' }],
      destructive: true,
      idempotent: true,
      open_world: true,
    },
  ],
  async run({ customer_id: _, contact_id, ...change }, call, app) {
    const id = BigInt(contact_id)
    // Before any lock: it may store a request for approval, in a transaction of its own.
    await guardRegistrant(app, call, { id, change })
    const now = app.clock.now()
    // The customer's row first, as in a create: changes of defaults are serialized, in one order of
    // locks.
    await lockCustomer(call.sql, call.customer_id)
    const before = await call.sql.maybe(contactOfId, { customer_id: call.customer_id, id })
    if (!before) throw contactNotFound()
    const facts = readFacts(merged(before, change), new Set(Object.keys(change)))
    const flags = {
      default_registrant: change.default_registrant ?? before.default_registrant,
      default_admin: change.default_admin ?? before.default_admin,
      default_technical: change.default_technical ?? before.default_technical,
      default_billing: change.default_billing ?? before.default_billing,
    }
    if (Object.values(flags).includes(true))
      await call.sql.count(clearDefaults, {
        customer_id: call.customer_id,
        except_id: id,
        ...flags,
        updated_at: now,
      })
    const news = differ(before, facts)
    const row = await call.sql.one(updateContact, {
      customer_id: call.customer_id,
      id,
      ...facts,
      ...flags,
      updated_at: now,
      changed: news,
    })
    if (news) await call.sql.one(notifyChanged, { id: String(id) })
    return contactOf(row)
  },
})
