// SQL that reads the ledger. Money moves only in ledger_top_up, orders_place and orders_settle.
import { statement } from '../db/statement.ts'

export const balanceOf = statement(
  'ledger_balance_of',
  `select customer_id, currency, available, held, updated_at
     from ledger_balances where customer_id = $1 and currency = $2`,
)

export const entriesOf = statement(
  'ledger_entries_of',
  `select id, type, amount, currency, available_after, held_after, description, domain,
          operation_id, checkout_id, invoice_id, created_at
     from ledger_entries
    where customer_id = $1 and ($2::text is null or currency = $2)
      and ($3::bigint is null or id < $3)
    order by id desc
    limit $4`,
  { nullable: [2, 3] },
)
