// SQL of contacts, of their uses, and of their objects at registries.
import { type Row, statement } from '../../db/statement.ts'

// In the contract's order: a row becomes its response without reordering.
const columns = `handle, name, email, company_name, address, address_line_2, city, state, country,
  zip, phone_country_code, phone_number, default_registrant, default_admin, default_technical,
  default_billing, id, customer_id, version, created_at, updated_at`

export const contactsOfCustomer = statement(
  'contacts_of_customer',
  `select ${columns} from contacts where customer_id = $1 order by id`,
)
export type ContactRow = Row<'contacts_of_customer'>

export const contactOfId = statement(
  'contacts_of_id',
  `select ${columns} from contacts where customer_id = $1 and id = $2`,
)

/** No row: the customer has the handle already. */
export const insertContact = statement(
  'contacts_insert',
  `insert into contacts (customer_id, handle, name, email, company_name, address, address_line_2,
     city, state, country, zip, phone_country_code, phone_number,
     default_registrant, default_admin, default_technical, default_billing, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18)
   on conflict (customer_id, lower(handle collate "C")) do nothing
   returning ${columns}`,
  { nullable: [5, 7] },
)

export const updateContact = statement(
  'contacts_update',
  `update contacts
      set name = $3, email = $4, company_name = $5, address = $6, address_line_2 = $7, city = $8,
          state = $9, country = $10, zip = $11, phone_country_code = $12, phone_number = $13,
          default_registrant = $14, default_admin = $15, default_technical = $16,
          default_billing = $17, updated_at = $18,
          version = version + case when $19::boolean then 1 else 0 end
    where customer_id = $1 and id = $2
   returning ${columns}`,
  { nullable: [5, 7] },
)

export const deleteContact = statement(
  'contacts_delete',
  'delete from contacts where customer_id = $1 and id = $2',
)

/**
 * Clears the defaults $3 to $6 of the customer's contacts other than $2, before $2 gets them.
 */
export const clearDefaults = statement(
  'contacts_clear_defaults',
  `update contacts
      set default_registrant = default_registrant and not $3::boolean,
          default_admin = default_admin and not $4::boolean,
          default_technical = default_technical and not $5::boolean,
          default_billing = default_billing and not $6::boolean,
          updated_at = $7
    where customer_id = $1 and id is distinct from $2::bigint
      and ((default_registrant and $3::boolean) or (default_admin and $4::boolean)
        or (default_technical and $5::boolean) or (default_billing and $6::boolean))`,
  { nullable: [2] },
)

/** The first of the handles that the customer has not. */
export const freeHandle = statement(
  'contacts_free_handle',
  `select c.handle
     from unnest($2::text[]) with ordinality as c (handle, place)
    where not exists (
      select from contacts k
       where k.customer_id = $1 and lower(k.handle collate "C") = lower(c.handle collate "C"))
    order by c.place limit 1`,
  { not_null: ['handle'] },
)

/** The customer's own among these ids, or the one with this handle. */
export const ownedContacts = statement(
  'contacts_owned',
  `select id, lower(handle collate "C") = lower($3 collate "C") as by_handle
     from contacts
    where customer_id = $1
      and (id = any ($2::bigint[]) or lower(handle collate "C") = lower($3 collate "C"))`,
  { nullable: [3] },
)

export const defaultsOf = statement(
  'contacts_defaults_of',
  `select id, default_registrant, default_admin, default_technical, default_billing
     from contacts
    where customer_id = $1
      and (default_registrant or default_admin or default_technical or default_billing)`,
)

export const notifyChanged = statement(
  'contacts_notify_changed',
  `select pg_notify('contacts_changed', $1) as notified`,
)

export const contactAtRegistry = statement(
  'contacts_at_registry',
  `select c.id, c.customer_id, c.name, c.email, c.company_name, c.address, c.address_line_2,
          c.city, c.state, c.country, c.zip, c.phone_country_code, c.phone_number, c.version,
          registrant_digest(c) as digest,
          (select r.registry_contact_id from registry_contacts r
            where r.contact_id = c.id and r.registry = $3) as registry_contact_id,
          (select r.synced_version from registry_contacts r
            where r.contact_id = c.id and r.registry = $3) as synced_version
     from contacts c
    where c.customer_id = $1 and c.id = $2`,
  { not_null: ['digest'] },
)

/** No row changes when the contact was deleted meanwhile. */
export const markSynced = statement(
  'registry_contacts_mark_synced',
  `insert into registry_contacts as r (contact_id, registry, registry_contact_id, synced_version,
     try_at)
   select c.id, $2, $3, $4, clock_timestamp() from contacts c where c.id = $1 for key share
   on conflict (contact_id, registry) do update
      set synced_version = greatest(r.synced_version, excluded.synced_version), failures = 0,
          try_at = excluded.try_at, last_error = null`,
)

/** Whose the contact $1 is; no row when it was deleted. */
export const ownerOfContact = statement(
  'contacts_owner',
  'select customer_id from contacts where id = $1',
)

// 23001 since PostgreSQL 18, 23503 before: a row that refers to this one restricts its end.
const stillUsed = new Set(['23001', '23503'])

/** Whether the database refused a delete because something still refers to the row. */
export function isStillUsed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && stillUsed.has(String(error.code))
}
