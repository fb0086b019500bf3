// Creates a contact handle.
import Type, { type Static } from 'typebox'
import { type Call, operation, ownerOf } from '../../../app.ts'
import { FieldReader } from '../../../kit/field-reader.ts'
import { customerAbsent, lockCustomer } from '../../account/index.ts'
import { contactOf, contactResponse, createFields, customerId } from '../contact.ts'
import {
  type ContactRow,
  clearDefaults,
  countContacts,
  freeHandle,
  insertContact,
} from '../contacts.sql.ts'
import { handleTaken, tooManyContacts } from '../faults.ts'
import { type Facts, readFacts } from '../fields/contact-fields.ts'
import { handleCandidates, isSeen } from '../fields/handle.ts'

const takes = Type.Object(
  { customer_id: customerId, ...createFields },
  { title: 'ContactHandleCreateRequest' },
)
type Input = Static<typeof takes>

/** The number of contacts that an account may have. */
const most_contacts = 5_000

export const createContact = operation({
  name: 'create_contact',
  does: 'Create a contact handle: a registrant, admin, technical or billing contact of domains.',
  more:
    'Without "handle" one is generated: initials, four digits and the country, e.g. JD1234-NL. ' +
    'A default_ flag that is true moves the default from the contact that had it.',
  at: 'POST /v1/customers/{customer_id}/contacts',
  area: 'Contacts',
  who: ownerOf('contacts:write'),
  takes,
  gives: contactResponse,
  status: 201,
  fails: [handleTaken, tooManyContacts, customerAbsent],
  effect: 'transaction',
  target: (_input, contact) => ({
    target_type: 'contact',
    target: contact ? String(contact.id) : null,
    metadata: contact ? { handle: contact.handle } : {},
  }),
  tools: [
    {
      group: 'contacts',
      title: 'Create a contact',
      examples: [
        {
          name: 'Ada Jansen',
          email: 'ada@example.com',
          address: 'Damrak 1',
          city: 'Amsterdam',
          state: 'Noord-Holland',
          country: 'NL',
          zip: '1012 LG',
          phone_country_code: '+31',
          phone_number: '201234567',
          default_registrant: true,
        },
      ],
      destructive: false,
      idempotent: false,
      open_world: false,
    },
  ],
  async run(input, call, app) {
    const facts = readFacts(input, new Set(Object.keys(input)))
    const given = givenHandle(input)
    const now = app.clock.now()
    await lockCustomer(call.sql, call.customer_id)
    await refuseTooMany(call)
    const flags = flagsOf(input)
    if (Object.values(flags).includes(true))
      await call.sql.count(clearDefaults, {
        customer_id: call.customer_id,
        except_id: null,
        ...flags,
        updated_at: now,
      })
    const insert = (handle: string) => insertAs(call, handle, { facts, flags, now })
    const row = given === null ? await insertFree(call, facts, insert) : await insert(given)
    if (!row) throw handleTaken()
    return contactOf(row)
  },
})

/** Call it under the lock of the account. An account that already has more contacts keeps them. */
async function refuseTooMany({ sql, customer_id }: Call): Promise<void> {
  const { made } = await sql.one(countContacts, { customer_id, limit: most_contacts })
  if (made >= most_contacts) throw tooManyContacts({ facts: { limit: most_contacts } })
}

type Flags = ReturnType<typeof flagsOf>
function flagsOf(input: Input) {
  return {
    default_registrant: input.default_registrant ?? false,
    default_admin: input.default_admin ?? false,
    default_technical: input.default_technical ?? false,
    default_billing: input.default_billing ?? false,
  }
}

function givenHandle({ handle }: Input): string | null {
  if (handle === undefined || handle === null) return null
  const reading = new FieldReader()
  const line = reading.line('handle', handle)
  if (line !== '' && !isSeen(line))
    reading.refuse(['handle'], 'String must have a visible character', 'value_error')
  reading.finish()
  return line
}

type Insert = (handle: string) => Promise<ContactRow | undefined>

/**
 * Tries generated handles until one is free: a concurrent call of the customer may take it between
 * the look-up and the insert.
 */
async function insertFree(call: Call, facts: Facts, insert: Insert): Promise<ContactRow> {
  for (const candidates of handleCandidates(facts.name, facts.country)) {
    const free = await call.sql.maybe(freeHandle, {
      customer_id: call.customer_id,
      handles: candidates,
    })
    const row = free && (await insert(free.handle))
    if (row) return row
  }
  throw new Error('No handle is free for the initials and country of a contact')
}

async function insertAs(
  { sql, customer_id }: Call,
  handle: string,
  { facts, flags, now }: { facts: Facts; flags: Flags; now: Date },
): Promise<ContactRow | undefined> {
  return sql.maybe(insertContact, {
    customer_id,
    handle,
    ...facts,
    ...flags,
    now,
  })
}
