// The invariants of money as queries over the database alone, each with the rows that break it.
type Query = (text: string) => Promise<Record<string, unknown>[]>

const invariants: Record<string, string> = {
  'a transfer is of one amount between two accounts of its currency': `
    select t.id, t.amount from ledger_transfers t
      left join ledger_accounts d on d.id = t.debit_account
      left join ledger_accounts c on c.id = t.credit_account
     where t.debit_account = t.credit_account or t.amount <= 0
        or (d.currency, c.currency) is distinct from (t.currency, t.currency)`,
  'debits equal credits': `
    select currency, sum(debits) as debits, sum(credits) as credits from ledger_trial_balance
     group by currency having sum(debits) <> sum(credits)`,
  'a balance is the sum of its transfers and never below zero': `
    select b.customer_id, b.available, b.held, s.available as posted, s.held as posted_held
      from ledger_accounts b
     cross join lateral (
       select coalesce(sum(case when t.phase = 'post' then 0
                                when t.phase = 'void' or t.phase = 'single'
                                     and t.credit_account = b.id then t.amount
                                else -t.amount end), 0) as available,
              coalesce(sum(case t.phase when 'pending' then t.amount when 'single' then 0
                                        else -t.amount end), 0) as held
         from ledger_transfers t where b.id in (t.debit_account, t.credit_account)) s
     where b.customer_id is not null
       and ((b.available, b.held) <> (s.available, s.held) or b.available < 0 or b.held < 0)`,
  'a reserve is the sum of its transfers, never below zero': `
    select b.reserve_of, b.currency, b.available, s.sum from ledger_accounts b
     cross join lateral (
       select coalesce(sum(case when t.credit_account = b.id then t.amount else -t.amount end), 0)
                as sum
         from ledger_transfers t where b.id in (t.debit_account, t.credit_account)) s
     where b.reserve_of is not null and (b.available <> s.sum or b.available < 0)`,
  'a released order has drawn on no reserve, unless a debt came first': `
    select o.id, o.reserve_amount, t.sum from orders o
     cross join lateral (
       select coalesce(sum(case when t.customer_account = t.credit_account then t.amount
                                else -t.amount end), 0) as sum
         from ledger_transfers t where t.operation_id = o.id and t.code = 'reserve') t
     where case when o.state = 'failed' then t.sum not between 0 and o.reserve_amount
                else t.sum <> o.reserve_amount end`,
  'what is held is what the open orders of the customer cost': `
    select b.customer_id, b.currency, b.held, o.amount from ledger_accounts b
     cross join lateral (
       select coalesce(sum(o.amount), 0) as amount from orders o
        where o.customer_id = b.customer_id and o.currency = b.currency
          and o.closed_at is null) o
     where b.customer_id is not null and b.held <> o.amount`,
  'an order has one hold, and one end of it exactly when it is closed': `
    select o.id, o.state from orders o left join ledger_entries e on e.operation_id = o.id
     group by o.id
    having count(*) filter (where e.type = 'hold') <> 1
        or count(*) filter (where e.type = 'capture') <> (o.state = 'succeeded')::int
        or count(*) filter (where e.type = 'release') <> (o.state = 'failed')::int`,
  'a hold, capture or release is of an order, of its customer and its price': `
    select e.id, e.type, e.amount from ledger_entries e left join orders o on o.id = e.operation_id
     where e.type in ('hold', 'capture', 'release')
       and (o.customer_id, o.currency, o.amount) is distinct from
           (e.customer_id, e.currency, abs(e.amount))`,
  'a credit has its evidence, once': `
    select t.id, t.code, t.amount from ledger_transfers t
      left join payments p on p.transfer_id = t.id
      left join ledger_adjustments a on a.transfer_id = t.id
     where t.code = 'top_up'
           and (p.id, p.customer_id, p.currency, p.amount) is distinct from
               (t.payment_id, t.customer_id, t.currency, t.amount)
        or t.code in ('adjustment', 'refund')
           and (a.id, a.kind, a.customer_id, a.currency, abs(a.amount)) is distinct from
               (t.adjustment_id, t.code, t.customer_id, t.currency, t.amount)`,
  'a payment has its credit': `
    select p.id, p.transfer_id from payments p
      left join ledger_entries e on e.id = p.transfer_id and e.type = 'top_up'
     where (e.customer_id, e.currency, e.amount) is distinct from
           (p.customer_id, p.currency, p.amount)`,
  'a reversal takes or gives its amount, from the balance and as a receivable': `
    select r.id, r.amount, t.sum, t.owed from payment_reversals r
     cross join lateral (
       select coalesce(sum(t.amount), 0) as sum,
              coalesce(sum(t.amount) filter (where t.customer_id is null), 0) as owed
         from ledger_transfers t where t.reversal_id = r.id) t
     where (t.sum, t.owed) <> (r.amount, r.shortfall)`,
  'the reversals of a payment sum up to at most its amount': `
    select p.id, p.amount from payments p join payment_reversals r on r.payment_id = p.id
     group by p.id
    having sum(case r.kind when 'reinstatement' then -r.amount else r.amount end)
           not between 0 and p.amount`,
  'a receivable is what customers owe, and who owes has nothing to spend': `
    select t.currency, t.debits - t.credits as receivable, a.owed from ledger_trial_balance t
     cross join lateral (
       select coalesce(sum(a.owed), 0) as owed,
              coalesce(bool_or(a.owed > 0 and a.available > 0), false) as spends
         from ledger_accounts a where a.currency = t.currency) a
     where t.code = 'receivable' and (t.debits - t.credits <> a.owed or a.spends)`,
  'all money of customers and all sales came in by payments and adjustments': `
    select b.currency, b.sum, s.sum as sales, p.sum as paid, r.sum as reversed, a.sum as adjusted
      from (select currency, sum(available + coalesce(held - owed, 0)) as sum from ledger_accounts
             where coalesce(customer_id, reserve_of) is not null group by 1) b
      left join lateral (
        select sum(credits - debits) as sum from ledger_trial_balance t
         where t.code = 'sales' and t.currency = b.currency) s on true
      left join lateral (
        select coalesce(sum(p.amount), 0) as sum from payments p
         where p.currency = b.currency) p on true
      left join lateral (
        select coalesce(sum(case r.kind when 'reinstatement' then -r.amount else r.amount end), 0)
               as sum
          from payment_reversals r where r.currency = b.currency) r on true
      left join lateral (
        select coalesce(sum(a.amount), 0) as sum from ledger_adjustments a
         where a.currency = b.currency and a.kind = 'adjustment') a on true
     where b.sum + s.sum <> p.sum - r.sum + a.sum`,
}

/** The invariants that do not hold, each with its first rows. */
export async function brokenInvariants(query: Query): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(invariants).map(async ([invariant, text]) => {
      const rows = await query(text)
      const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
      return rows.length === 0 ? [] : [`${invariant}: ${JSON.stringify(rows.slice(0, 3), plain)}`]
    }),
  )
  return found.flat()
}
