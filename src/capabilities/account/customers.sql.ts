// SQL of customers.
import { type Row, statement } from '../../db/statement.ts'

// One column list for every statement that returns a whole customer, so that rows have one type.
const columns = `id, email, email_verified, name, company_name, status, default_nameservers,
  provider_client_of(id) as provider_client, created_at, updated_at`

export const customerOfId = statement(
  'customers_of_id',
  `select ${columns} from customers where id = :id`,
)
export type CustomerRow = Row<'customers_of_id'>

/** Returns no row if the email address is taken. */
export const insertCustomer = statement(
  'customers_insert',
  `insert into customers (id, email, email_verified, name, company_name, created_at, updated_at)
   values (:id, :email, :email_verified, :name, :company_name, :now, :now)
   on conflict (lower(email collate "C")) do nothing
   returning ${columns}`,
  { nullable: ['company_name'] },
)

/** `name` null leaves the name; `company_name` is set only if `sets_company_name`. */
export const updateProfile = statement(
  'customers_update_profile',
  `update customers
      set name = coalesce(:name, name), updated_at = :updated_at,
          company_name = case when :sets_company_name::boolean then :company_name
                              else company_name end
    where id = :id
   returning ${columns}`,
  { nullable: ['name', 'company_name'] },
)

export const updateDefaultNameservers = statement(
  'customers_update_default_nameservers',
  `update customers set default_nameservers = :default_nameservers, updated_at = :updated_at
    where id = :id
   returning default_nameservers`,
)

export const nameserversOfCustomer = statement(
  'customers_nameservers_of',
  `select default_nameservers from customers where id = :id`,
)

export const customerWithEmail = statement(
  'customers_with_email',
  // With the collation of the index: without it, each look-up reads every customer.
  `select exists (
     select from customers where lower(email collate "C") = lower(:email collate "C")) as there`,
  { not_null: ['there'] },
)

/**
 * Other changes that take this lock wait until the transaction ends. Without a row, there is no
 * such customer.
 */
export const lockCustomerRow = statement(
  'customers_lock',
  `select id from customers where id = :id for no key update`,
)

/** False if another customer has the address. */
export const putEmail = statement(
  'customers_put_email',
  'select customers_change_email(:id, :email, :changed_at) as changed',
  { not_null: ['changed'], writes: true },
)

export const putEmailVerified = statement(
  'customers_put_email_verified',
  `update customers set email_verified = true, updated_at = :updated_at
    where id = :id and not email_verified`,
)
