// SQL that reads the ledger. Money moves only in functions of the database (README.md).
import { statement } from '../db/statement.ts'

export const balanceOf = statement(
  'ledger_balance_of',
  `select a.customer_id, a.currency, a.available, a.held, a.owed, a.updated_at,
          coalesce(r.available, 0) as reserved
     from ledger_accounts a
     left join ledger_accounts r on r.reserve_of = a.customer_id and r.currency = a.currency
    where a.customer_id = :customer_id and a.currency = :currency`,
  { not_null: ['available', 'held', 'owed', 'reserved'] },
)

/** `available` is the amount after it. Call it in the transaction of its audit row. */
export const moveToReserve = statement(
  'ledger_set_reserve',
  `select outcome, available
     from ledger_set_reserve(:customer_id, :currency, :amount::bigint)`,
  { not_null: ['outcome', 'available'], writes: true },
)

export const debtsOf = statement(
  'ledger_debts_of',
  `select currency, owed from ledger_accounts
    where customer_id = :customer_id and owed > 0 order by currency`,
  { not_null: ['owed'] },
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

/** Lists only ids below `before`. */
export const entriesOf = statement(
  'ledger_entries_of',
  `select ${shown} from ledger_entries
    where customer_id = :customer_id and id < coalesce(:before::bigint, ${endless})
    order by id desc limit :limit`,
  { nullable: ['before'], not_null },
)

/** The last id of the lines before a moment, and the sum that the customer had after it. */
export const balanceBefore = statement(
  'ledger_balance_before',
  `select l.last_id, coalesce((
            select t.available_after + t.held_after from ledger_transfers t
             where t.customer_id = :customer_id and t.currency = :currency and t.id <= l.last_id
             order by t.id desc limit 1), 0) as balance
     from (select ledger_last_before(:customer_id, :currency, :moment) as last_id) l`,
  { not_null: ['last_id', 'balance'] },
)

/**
 * The debt at a moment, whose last line is `last_id`: the debt of today, less the debts that arose
 * since then, plus the payments of debts since then.
 */
export const owedBefore = statement(
  'ledger_owed_before',
  `with debts as (
     select r.shortfall, r.created_at from payments p
       join payment_reversals r on r.payment_id = p.id
      where p.customer_id = :customer_id and p.currency = :currency and r.shortfall > 0)
   select (coalesce((select a.owed from ledger_accounts a
                      where a.customer_id = :customer_id and a.currency = :currency), 0)
           - coalesce((select sum(d.shortfall) from debts d where d.created_at >= :moment), 0)
           + case when exists (select from debts) then coalesce((
               select sum(t.amount) from ledger_transfers t
                 join ledger_accounts r on r.id = t.credit_account and r.code = 'receivable'
                where t.customer_id = :customer_id and t.currency = :currency
                  and t.id > :last_id), 0) else 0 end)::bigint as owed`,
  { not_null: ['owed'] },
)

/**
 * Lines after one id and up to another, oldest first, which change the whole balance and do not
 * only move money between available and held.
 */
export const countedEntries = statement(
  'ledger_counted_entries',
  `select ${shown} from ledger_entries
    where customer_id = :customer_id and currency = :currency and id > :after and id <= :up_to
      and type <> all ('{hold,release}')
    order by id limit :limit`,
  { not_null },
)

/** The same for a currency, since a filter of the list above would read the whole account. */
export const entriesOfCurrency = statement(
  'ledger_entries_of_currency',
  `select ${shown} from ledger_entries
    where customer_id = :customer_id and currency = :currency
      and id < coalesce(:before::bigint, ${endless})
    order by id desc limit :limit`,
  { nullable: ['before'], not_null },
)
