// SQL that reads the ledger. Money moves only in ledger_top_up, orders_place and orders_settle.
import { statement } from '../db/statement.ts'

export const balanceOf = statement(
  'ledger_balance_of',
  `select customer_id, currency, available, held, updated_at
     from ledger_accounts where customer_id = :customer_id and currency = :currency`,
  { not_null: ['available', 'held'] },
)

const shown = `id, type, amount, currency, available_after, held_after, description, domain,
  operation_id, checkout_id, invoice_id, created_at`
// Columns of a view count as nullable.
const not_null = [
  'id',
  'type',
  'amount',
  'currency',
  'available_after',
  'held_after',
  'description',
  'created_at',
] as const
const endless = 9_223_372_036_854_775_807n

/** `before`: only ids below it. */
export const entriesOf = statement(
  'ledger_entries_of',
  `select ${shown} from ledger_entries
    where customer_id = :customer_id and id < coalesce(:before::bigint, ${endless})
    order by id desc limit :limit`,
  { nullable: ['before'], not_null },
)

/** The same of a currency: a filter of the list above would read the whole account. */
export const entriesOfCurrency = statement(
  'ledger_entries_of_currency',
  `select ${shown} from ledger_entries
    where customer_id = :customer_id and currency = :currency
      and id < coalesce(:before::bigint, ${endless})
    order by id desc limit :limit`,
  { nullable: ['before'], not_null },
)
