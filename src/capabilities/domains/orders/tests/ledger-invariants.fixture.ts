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
  'what is held is what the open orders of the customer cost': `
    select b.customer_id, b.currency, b.held, o.amount from ledger_accounts b
     cross join lateral (
       select coalesce(sum(o.amount), 0) as amount from orders o
        where o.customer_id = b.customer_id and o.currency = b.currency
          and o.closed_at is null) o
     where b.held <> o.amount`,
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
    select e.id, e.type, e.amount from ledger_entries e
      left join processor_top_ups t on t.transfer_id = e.id
     where e.type not in ('hold', 'capture', 'release')
       and (t.customer_id, t.currency, t.amount) is distinct from
           (e.customer_id, e.currency, e.amount)`,
  'a payment has its credit': `
    select p.processor_checkout_session_id as session, p.transfer_id from processor_top_ups p
      left join ledger_entries e on e.id = p.transfer_id and e.type = 'top_up'
     where e.checkout_id is distinct from p.processor_checkout_session_id`,
  'all money of customers and all sales came in by a processor': `
    select b.currency, b.sum, s.sum as sales, t.sum as credited
      from (select currency, sum(available + held) as sum from ledger_accounts
             where customer_id is not null group by 1) b
      left join lateral (
        select sum(credits - debits) as sum from ledger_trial_balance t
         where t.code = 'sales' and t.currency = b.currency) s on true
      left join lateral (
        select coalesce(sum(t.amount), 0) as sum from processor_top_ups t
         where t.currency = b.currency) t on true
     where b.sum + s.sum <> t.sum`,
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
