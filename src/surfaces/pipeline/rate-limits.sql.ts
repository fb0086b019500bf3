// SQL of the rate limits: one row a key in an unlogged table that all nodes share.
import { statement } from '../../db/statement.ts'

/**
 * Takes up to $3 units of key $1 from its window of $4 seconds, whose quota is $2. Answers what was
 * granted, what is left for all nodes, and the seconds until the window ends.
 */
export const leaseUnits = statement(
  'rate_limits_lease',
  `insert into rate_limits as held (key, window_start, used, granted)
   values ($1, floor(extract(epoch from clock_timestamp()) / $4::int) * $4::int,
           least($3::int, $2::int), least($3::int, $2::int))
   on conflict (key) do update set
     window_start = excluded.window_start,
     granted = case when held.window_start = excluded.window_start
                    then least($3::int, $2::int - held.used) else excluded.granted end,
     used = case when held.window_start = excluded.window_start
                 then held.used + least($3::int, $2::int - held.used) else excluded.used end
   returning granted, $2::int - used as "left",
     (window_start + $4::int - extract(epoch from clock_timestamp()))::float8 as resets_s`,
  { not_null: ['left', 'resets_s'] },
)
