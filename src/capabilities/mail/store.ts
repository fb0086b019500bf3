// SQL of the outbox.
import { statement } from '../../db/statement.ts'

/** $1 id, $2 customer or null, $3 kind, $4 dedupe key, $5 address, $6 subject, $7 text. */
export const insertMail = statement(
  'mails_insert',
  `insert into mails (id, customer_id, kind, dedupe_key, recipient, subject, body)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (dedupe_key) do nothing`,
  { nullable: [2] },
)

export const addressee = statement(
  'mails_addressee',
  'select email, name from customers where id = $1',
)
