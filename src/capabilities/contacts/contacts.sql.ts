// SQL of contacts, of their uses, and of their objects at registries.
import { comparableName } from '../../db/comparable-name.ts'
import { type Row, statement } from '../../db/statement.ts'

// In the contract's order: a row becomes its response without reordering.
const columns = `handle, name, email, company_name, address, address_line_2, city, state, country,
  zip, phone_country_code, phone_number, default_registrant, default_admin, default_technical,
  default_billing, id, customer_id, version, created_at, updated_at`

export const contactsOfCustomer = statement(
  'contacts_of_customer',
  `select ${columns} from contacts
    where customer_id = :customer_id and id > :after
    order by id limit :limit::int`,
)
export type ContactRow = Row<'contacts_of_customer'>

/** Counts the contacts of the customer, up to a number. */
export const countContacts = statement(
  'contacts_count',
  `select count(*) as made
     from (select from contacts where customer_id = :customer_id limit :limit::int) c`,
  { not_null: ['made'] },
)

export const contactOfId = statement(
  'contacts_of_id',
  `select ${columns} from contacts where customer_id = :customer_id and id = :id`,
)

/**
 * Returns no row if the customer already has the handle, or one that looks like it. Locks that row.
 */
export const insertContact = statement(
  'contacts_insert',
  `insert into contacts (customer_id, handle, name, email, company_name, address, address_line_2,
     city, state, country, zip, phone_country_code, phone_number,
     default_registrant, default_admin, default_technical, default_billing, created_at, updated_at)
   select :customer_id, :handle, :name, :email, :company_name, :address, :address_line_2, :city,
          :state, :country, :zip, :phone_country_code, :phone_number, :default_registrant,
          :default_admin, :default_technical, :default_billing, :now, :now
    where not exists (
      select from contacts k
       where k.customer_id = :customer_id
         and ${comparableName('k.handle')} = ${comparableName(':handle::text')})
   on conflict (customer_id, lower(handle collate "C")) do nothing
   returning ${columns}`,
  { nullable: ['company_name', 'address_line_2'] },
)

export const updateContact = statement(
  'contacts_update',
  `update contacts
      set name = :name, email = :email, company_name = :company_name, address = :address,
          address_line_2 = :address_line_2, city = :city, state = :state, country = :country,
          zip = :zip, phone_country_code = :phone_country_code, phone_number = :phone_number,
          default_registrant = :default_registrant, default_admin = :default_admin,
          default_technical = :default_technical, default_billing = :default_billing,
          updated_at = :updated_at,
          version = version + case when :changed::boolean then 1 else 0 end
    where customer_id = :customer_id and id = :id
   returning ${columns}`,
  { nullable: ['company_name', 'address_line_2'] },
)

export const deleteContact = statement(
  'contacts_delete',
  'delete from contacts where customer_id = :customer_id and id = :id returning handle',
)

/**
 * Clears the given defaults of the customer's contacts other than `except_id`, before that one gets
 * them.
 */
export const clearDefaults = statement(
  'contacts_clear_defaults',
  `update contacts
      set default_registrant = default_registrant and not :default_registrant::boolean,
          default_admin = default_admin and not :default_admin::boolean,
          default_technical = default_technical and not :default_technical::boolean,
          default_billing = default_billing and not :default_billing::boolean,
          updated_at = :updated_at
    where customer_id = :customer_id and id is distinct from :except_id::bigint
      and ((default_registrant and :default_registrant::boolean)
        or (default_admin and :default_admin::boolean)
        or (default_technical and :default_technical::boolean)
        or (default_billing and :default_billing::boolean))`,
  { nullable: ['except_id'] },
)

/** The first of these handles that the customer does not have. */
export const freeHandle = statement(
  'contacts_free_handle',
  `select c.handle
     from unnest(:handles::text[]) with ordinality as c (handle, place)
    where not exists (
      select from contacts k
       where k.customer_id = :customer_id
         and ${comparableName('k.handle')} = ${comparableName('c.handle')})
    order by c.place limit 1`,
  { not_null: ['handle'] },
)

/**
 * The customer's own contacts among these ids, or those with this handle. An exact match comes
 * first, since contacts of earlier versions may have two handles that look alike.
 */
export const ownedContacts = statement(
  'contacts_owned',
  `select id, ${comparableName('handle')} = ${comparableName(':handle::text')} as by_handle
     from contacts
    where customer_id = :customer_id
      and (id = any (:ids::bigint[])
           or ${comparableName('handle')} = ${comparableName(':handle::text')})
    order by (handle = :handle::text) desc,
             (lower(handle collate "C") = lower(:handle::text collate "C")) desc, id`,
  { nullable: ['handle'] },
)

/** The contact that the account has had longest. */
export const firstContact = statement(
  'contacts_first',
  `select id, handle from contacts where customer_id = :customer_id order by id limit 1`,
)

/**
 * A held domain that it is the registrant of, a protected one first. Returns no row if there is
 * none.
 */
export const domainOfRegistrant = statement(
  'contacts_domain_of_registrant',
  `select name, protected from domains
    where customer_id = :customer_id and ended_at is null
      and contacts @> jsonb_build_object('registrant', :contact_id::bigint)
      and exists (select from domain_contacts where contact_id = :contact_id::bigint)
    order by protected desc, name limit 1`,
)

export const notifyChanged = statement(
  'contacts_notify_changed',
  `select pg_notify('contacts_changed', :id) as notified`,
)

export const contactAtRegistry = statement(
  'contacts_at_registry',
  `select c.id, c.customer_id, c.name, c.email, c.company_name, c.address, c.address_line_2,
          c.city, c.state, c.country, c.zip, c.phone_country_code, c.phone_number, c.version,
          registrant_digest(c) as digest,
          (select r.registry_contact_id from registry_contacts r
            where r.contact_id = c.id and r.registry = :registry) as registry_contact_id,
          (select r.synced_version from registry_contacts r
            where r.contact_id = c.id and r.registry = :registry) as synced_version
     from contacts c
    where c.customer_id = :customer_id and c.id = :id`,
  { not_null: ['digest'] },
)

/** No row changes when the contact was deleted meanwhile. */
export const markSynced = statement(
  'registry_contacts_mark_synced',
  `insert into registry_contacts as r (contact_id, registry, registry_contact_id, synced_version)
   select c.id, :registry, :registry_contact_id, :synced_version
     from contacts c where c.id = :contact_id for key share
   on conflict (contact_id, registry) do update
      set synced_version = greatest(r.synced_version, excluded.synced_version)`,
)

/** The owner of the contact; no row when it was deleted. */
export const ownerOfContact = statement(
  'contacts_owner',
  'select customer_id from contacts where id = :id',
)

// 23001 since PostgreSQL 18, 23503 before: a row that refers to this one restricts its end.
const stillUsed = new Set(['23001', '23503'])

/** Whether the database refused a delete because something still refers to the row. */
export function isStillUsed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && stillUsed.has(String(error.code))
}
