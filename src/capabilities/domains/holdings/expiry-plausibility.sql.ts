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

/** Up to `limit` holdings whose terms are in doubt, oldest first, with the count of all. */
export const termMismatches = statement(
  'domains_term_mismatches',
  `select d.name, d.customer_id, d.expiry, t.detail, count(*) over ()::integer as in_all
     from domain_terms t join domains d on d.id = t.domain_id
    where not t.fits and d.ended_at is null
    order by t.id limit :limit`,
  { not_null: ['in_all'] },
)
