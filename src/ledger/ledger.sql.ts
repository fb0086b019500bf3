// SQL that reads the ledger. Money moves only in ledger_top_up, orders_place and orders_settle.
import { statement } from '../db/statement.ts'

export const balanceOf = statement(
  'ledger_balance_of',
  `select customer_id, currency, available, held, updated_at
     from ledger_balances where customer_id = $1 and currency = $2`,
)

const shown = `id, type, amount, currency, available_after, held_after, description, domain,
  operation_id, checkout_id, invoice_id, created_at`
const endless = 9_223_372_036_854_775_807n

/** $2 only ids below it, $3 how many. */
export const entriesOf = statement(
  'ledger_entries_of',
  `select ${shown} from ledger_entries
    where customer_id = $1 and id < coalesce($2::bigint, ${endless})
    order by id desc limit $3`,
  { nullable: [2] },
)

/** The same of the currency $2: a filter of the list above would read the whole account. */
export const entriesOfCurrency = statement(
  'ledger_entries_of_currency',
  `select ${shown} from ledger_entries
    where customer_id = $1 and currency = $2 and id < coalesce($3::bigint, ${endless})
    order by id desc limit $4`,
  { nullable: [3] },
)
