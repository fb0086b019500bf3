// SQL of changes of the e-mail address.
import { statement } from '../../../db/statement.ts'

export const insertEmailChange = statement(
  'email_changes_insert',
  `insert into email_changes (id, customer_id, email, token_hash, created_at, expires_at)
   values (:id, :customer_id, :email, :token_hash, :now, :expires_at)`,
)

/** Invalidates the customer's unused links, since only the newest is valid. */
export const endEmailChanges = statement(
  'email_changes_end',
  `update email_changes set expires_at = least(expires_at, :now)
    where customer_id = :customer_id and used_at is null`,
)

/**
 * Consumes a link. Returns no row if it is another customer's, or was used or replaced, or has
 * expired.
 */
export const useEmailChange = statement(
  'email_changes_use',
  `update email_changes set used_at = :now
    where token_hash = :token_hash and customer_id = :customer_id and used_at is null
      and expires_at > :now
   returning id, email`,
)
