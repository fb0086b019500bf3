// SQL of the rate limits: one row per key in an unlogged table that all nodes share.
import { statement } from '../db/statement.ts'

/**
 * Takes up to `units` of a key from its window of `window_s`. Returns what was granted, what is
 * left of the quota for all nodes, and the seconds until the window ends.
 */
export const leaseUnits = statement(
  'rate_limits_lease',
  `insert into rate_limits as held (key, window_start, used, granted)
   values (:key, floor(extract(epoch from clock_timestamp()) / :window_s::int) * :window_s::int,
           least(:units::int, :quota::int), least(:units::int, :quota::int))
   on conflict (key) do update set
     window_start = excluded.window_start,
     granted = case when held.window_start = excluded.window_start
                    then least(:units::int, :quota::int - held.used) else excluded.granted end,
     used = case when held.window_start = excluded.window_start
                 then held.used + least(:units::int, :quota::int - held.used) else excluded.used end
   returning granted, :quota::int - used as "left",
     (window_start + :window_s::int - extract(epoch from clock_timestamp()))::float8 as resets_s`,
  { not_null: ['left', 'resets_s'] },
)
