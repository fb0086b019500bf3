// SQL of the retention of notices and of claims that a crash left behind.
import { statement } from '../../../db/statement.ts'

/** Up to $2 notices of terms that ended before $1. */
export const purgeNotices = statement(
  'expiry_notices_purge',
  `delete from expiry_notices
    where ctid = any (array(
      select ctid from expiry_notices where expiry < $1
       order by expiry limit $2::int for update skip locked))`,
)

/** Up to $1 claims whose lease ended a day ago: no change takes as long. */
export const purgeChanges = statement(
  'domain_changes_purge',
  `delete from domain_changes
    where ctid = any (array(
      select ctid from domain_changes
       where lease_until < statement_timestamp() - interval '1 day'
       order by lease_until limit $1::int for update skip locked))`,
)
