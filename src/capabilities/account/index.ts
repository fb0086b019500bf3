// Accounts: customers and their profiles.

import type { Sql } from '../../db/database.ts'
import type { Params } from '../../db/statement.ts'
import { type CustomerId, newId } from '../../kit/random.ts'
import { createCustomer } from './create-customer.ts'
import { type Customer, customerOf, getAccount, getCustomer } from './customer.ts'
import {
  customerOfId,
  customerWithEmail,
  insertCustomer,
  lockCustomerRow,
  nameserversOfCustomer,
  putEmail,
  putEmailVerified,
  updateProfile,
} from './customers.sql.ts'
import { setDefaultNameservers } from './default-nameservers.ts'
import { customerAbsent, emailTaken } from './faults.ts'

export type { Customer } from './customer.ts'
export { customerResponse, foldNameservers } from './customer.ts'
export { customerAbsent, emailTaken, freshLogInNeeded, sessionRequired } from './faults.ts'
export { isFreshLogIn, requireFreshLogIn, requireFreshSession } from './fresh-log-in.ts'

export const operations = [getAccount, setDefaultNameservers, createCustomer, getCustomer]

/** The response for a customer, or undefined. */
export async function customerById(sql: Sql, id: CustomerId): Promise<Customer | undefined> {
  const row = await sql.maybe(customerOfId, { id })
  return row && customerOf(row)
}

/** Whether a customer has this e-mail address. */
export async function hasCustomerWithEmail(sql: Sql, email: string): Promise<boolean> {
  return (await sql.one(customerWithEmail, { email })).there
}

/** Throws customerAbsent for an unknown id, since an operator may name any id. */
export async function requireCustomer(sql: Sql, id: CustomerId): Promise<void> {
  if (!(await sql.maybe(nameserversOfCustomer, { id }))) throw customerAbsent()
}

/**
 * Locks the customer's row until the transaction ends, which serializes changes of the account.
 * Throws customerAbsent.
 */
export async function lockCustomer(sql: Sql, id: CustomerId): Promise<void> {
  if (!(await sql.maybe(lockCustomerRow, { id }))) throw customerAbsent()
}

/** Marks the e-mail address as verified. */
export async function verifyEmail(
  sql: Sql,
  { customer_id, now }: { customer_id: CustomerId; now: Date },
): Promise<void> {
  await sql.count(putEmailVerified, { id: customer_id, updated_at: now })
}

type NewCustomer = { email: string; name: string; company_name: string | null; now: Date }

/** Creates a customer with a verified email address. Undefined if another customer has it. */
export async function addVerifiedCustomer(
  sql: Sql,
  { email, name, company_name, now }: NewCustomer,
): Promise<Customer | undefined> {
  const id = newId('cus', now.getTime())
  const fields = { id, email, email_verified: true, name, company_name, now }
  const row = await sql.maybe(insertCustomer, fields)
  return row && customerOf(row)
}

/** Gives the account a verified e-mail address. Throws emailTaken. */
export async function changeEmail(sql: Sql, params: Params<'customers_put_email'>): Promise<void> {
  if (!(await sql.one(putEmail, params)).changed) throw emailTaken()
}

/** Changes the name and the company; `updateProfile` documents which fields stay as they are. */
export async function changeProfile(
  sql: Sql,
  params: Params<'customers_update_profile'>,
): Promise<Customer> {
  return customerOf(await sql.one(updateProfile, params))
}
