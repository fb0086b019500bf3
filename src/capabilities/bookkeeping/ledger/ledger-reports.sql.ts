// SQL of the bookkeepers' reports: transfers, their sums, and the evidence of these.
import { statement } from '../../../db/statement.ts'

export const ownAccounts = statement(
  'bookkeeping_own_accounts',
  `select id, code, currency from ledger_accounts where customer_id is null
    order by code, currency`,
)

export const lastTransfer = statement(
  'bookkeeping_last_transfer',
  'select coalesce(max(id), 0) as id from ledger_transfers',
  { not_null: ['id'] },
)

/**
 * Sums of a range of ids, by the accounts of our own on either side; a customer's account is null.
 */
export const transferSums = statement(
  'bookkeeping_transfer_sums',
  `select currency, phase,
          case when customer_account is distinct from debit_account then debit_account end
            as debit_account,
          case when customer_account is distinct from credit_account then credit_account end
            as credit_account,
          sum(amount) as amount
     from ledger_transfers
    where id > :after and id <= :up_to and created_at < coalesce(:before, 'infinity'::timestamptz)
    group by 1, 2, 3, 4`,
  { nullable: ['before'], not_null: ['amount'] },
)

/** Customers' accounts after one, each with its columns and with the sums of its transfers. */
export const customerAccounts = statement(
  'bookkeeping_customer_accounts',
  `select a.customer_id, a.currency, a.available, a.held, a.owed, s.available as sum_available,
          s.held as sum_held, s.reserved as sum_reserved,
          ledger_reserved(a.customer_id, a.currency) as reserved
     from (select customer_id, currency, available, held, owed from ledger_accounts
            where customer_id is not null
              and (customer_id, currency) > (:after_customer::text, :after_currency::text)
            order by customer_id, currency limit :limit) a
    cross join lateral (
      select coalesce(sum(case when t.phase = 'post' then 0
                               when t.phase = 'void' or t.phase = 'single'
                                    and t.customer_account = t.credit_account then t.amount
                               else -t.amount end), 0) as available,
             coalesce(sum(case t.phase when 'pending' then t.amount when 'single' then 0
                                       else -t.amount end), 0) as held,
             coalesce(sum(case when t.customer_account = t.debit_account then t.amount
                               else -t.amount end)
                        filter (where t.code = 'reserve'), 0) as reserved
        from ledger_transfers t
       where t.customer_id = a.customer_id and t.currency = a.currency) s
    order by a.customer_id, a.currency`,
  {
    not_null: [
      'customer_id',
      'available',
      'held',
      'owed',
      'sum_available',
      'sum_held',
      'sum_reserved',
      'reserved',
    ],
  },
)

/** The balance of each account of our own by its evidence: debits are above zero. */
export const evidenceSums = statement(
  'bookkeeping_evidence_sums',
  `select e.code, e.currency, sum(e.amount) as amount
     from (select account as code, currency, sum(amount) as amount from payments group by 1, 2
            union all
           select p.account, r.currency,
                  sum(case r.kind when 'reinstatement' then r.amount else -r.amount end)
             from payment_reversals r join payments p on p.id = r.payment_id group by 1, 2
            union all
           select case kind when 'refund' then 'sales' else 'adjustments' end, currency, sum(amount)
             from ledger_adjustments group by 1, 2
            union all
           select 'sales', currency, -sum(amount) from orders where state = 'succeeded' group by 2
            union all
           select 'reserve', currency, -sum(available) from ledger_accounts
            where reserve_of is not null group by 2
            union all
           select 'receivable', currency, sum(owed) from ledger_accounts
            where customer_id is not null group by 2) e
    group by e.code, e.currency`,
  { not_null: ['code', 'currency', 'amount'] },
)

export const lastCheck = statement(
  'ledger_last_check',
  'select finished_at, sound from ledger_checks',
)

export const storeCheck = statement(
  'ledger_store_check',
  `insert into ledger_checks (began_at, finished_at, sound, differing)
   values (:began_at, clock_timestamp(), :sound, :differing)
   on conflict (is_only) do update
     set began_at = excluded.began_at, finished_at = excluded.finished_at,
         sound = excluded.sound, differing = excluded.differing`,
)

/**
 * The lowest and the highest id of a time. A plain min(id) would read all transfers before the
 * time.
 */
export const transferBounds = statement(
  'bookkeeping_transfer_bounds',
  `select coalesce(min(id + 0), 1) as first_id, coalesce(max(id + 0), 0) as last_id
     from ledger_transfers where created_at >= :from and created_at < :to`,
  { not_null: ['first_id', 'last_id'] },
)

/** Transfers in the order of their ids, whatever their time. */
export const transfersAfter = statement(
  'bookkeeping_transfers_after',
  `select id, created_at, debit_account, credit_account, customer_id, currency, amount, phase, code,
          pending_id, description, domain, operation_id, checkout_id, invoice_id, payment_id,
          reversal_id, adjustment_id
     from ledger_transfers
    where id > :after and id <= :up_to
    order by id limit :limit`,
)
