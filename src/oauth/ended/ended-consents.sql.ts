// SQL of consents that have ended, for their report.
import { statement } from '../../db/statement.ts'

/**
 * A consent that has ended, with the names of all apps whose consents ended with it, at the same
 * moment and for the same reason. `moment` has microseconds.
 */
export const findEndedConsent = statement(
  'oauth_grants_ended_of_id',
  `select g.id, g.customer_id, g.client_id, g.client_name, g.end_reason,
          (extract(epoch from g.revoked_at) * 1000000)::bigint::text as moment,
          array(select distinct o.client_name from oauth_grants o
                 where o.customer_id = g.customer_id and o.revoked_at = g.revoked_at and not o.kept
                   and o.end_reason is not distinct from g.end_reason
                 order by 1) as apps
     from oauth_grants g where g.id = :id and g.revoked_at is not null`,
  { not_null: ['moment', 'apps'] },
)
