// SQL of the leaky buckets: one row per key in an unlogged table that all nodes share.
import { statement } from '../db/statement.ts'

/** Seconds to wait; 0: one unit was put into each bucket. */
export const takeUnits = statement(
  'sign_in_take_units',
  'select sign_in_take(:keys::text[], :most::float8[], :drain_s::float8[]) as wait_s',
  { not_null: ['wait_s'], writes: true },
)

/** One unit out of each bucket of `keys`; those of `emptied` lose all. */
export const giveBackUnits = statement(
  'sign_in_give_back_units',
  'select sign_in_give_back(:keys::text[], :emptied::text[])::text as given',
  { writes: true },
)
