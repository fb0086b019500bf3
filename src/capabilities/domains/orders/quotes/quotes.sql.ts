// SQL of quotes.
import { statement } from '../../../../db/statement.ts'

export const insertQuote = statement(
  'quotes_insert',
  `insert into quotes (id, customer_id, type, domain, period_years, currency, amount, price,
                       created_at, expires_at)
   values (:id, :customer_id, :type, :domain, :period_years, :currency, :amount, :price,
           :created_at, :expires_at)`,
)

/** `order_id` is the order that it has made, unless that failed. */
export const quoteById = statement(
  'quotes_by_id',
  `select q.type, q.domain, q.period_years, q.currency, q.amount, q.price, q.expires_at,
          (select o.id from orders o
            where o.quote_id = q.id and o.state <> 'failed') as order_id
     from quotes q
    where q.id = :id and q.customer_id = :customer_id`,
)

export const countOpenQuotes = statement(
  'quotes_count_open',
  `select count(*) as open
     from (select from quotes
            where customer_id = :customer_id and expires_at > statement_timestamp()
            limit :limit::int) q`,
  { not_null: ['open'] },
)
