// SQL of what may explain years between until when a holding is paid and what its registry shows.
import { statement } from '../../../db/statement.ts'

/** The customer's orders for a domain since its holding was made at `since`. */
export const yearFacts = statement(
  'domains_year_facts',
  `select coalesce(bool_or(o.closed_at is null), false) as open,
          coalesce(bool_or(o.type = 'restore' and o.state = 'succeeded'), false) as restored,
          coalesce(sum((o.command->>'send_years')::integer) filter (
            where o.type = 'renew' and o.state = 'failed'
              and o.error_code = 'released_by_operator'), 0)::integer as given_back
     from orders o
    where o.customer_id = :customer_id and o.domain = :domain and o.created_at >= :since`,
  { not_null: ['open', 'restored', 'given_back'] },
)
