// SQL of request quotas and leaky buckets: one row per key in unlogged tables that all nodes share.
import { statement } from '../db/statement.ts'

/**
 * Takes up to `units` of a key from its window of `window_s`. Returns the granted units, the rest
 * of the quota for all nodes, and the seconds until the window ends.
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

/** The seconds to wait, where 0 means that one unit was put into each bucket. */
export const takeUnits = statement(
  'sign_in_take_units',
  'select sign_in_take(:keys::text[], :most::float8[], :drain_s::float8[]) as wait_s',
  { not_null: ['wait_s'], writes: true },
)

/** Takes one unit out of each bucket of `keys`; those of `emptied` lose all. */
export const giveBackUnits = statement(
  'sign_in_give_back_units',
  'select sign_in_give_back(:keys::text[], :emptied::text[])::text as given',
  { writes: true },
)
