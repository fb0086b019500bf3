// SQL of the sandbox's time: one row for all nodes, announced by NOTIFY.
import { statement } from '../../db/statement.ts'

export const readOffset = statement('sandbox_read_offset', 'select offset_ms from sandbox_clock')

/** Sets it at a start, since the registries may have come back with another time. */
export const putOffset = statement(
  'sandbox_put_offset',
  `update sandbox_clock
      set offset_ms = :offset_ms, updated_at = clock_timestamp() returning offset_ms`,
)

/** Moves it forward, never back: of two jumps at once the row keeps the later. */
export const raiseOffset = statement(
  'sandbox_raise_offset',
  `update sandbox_clock
      set offset_ms = greatest(offset_ms, :offset_ms), updated_at = clock_timestamp()
   returning offset_ms`,
)

/** The offset travels along, so that a job which wakes on this channel finds the calendar moved. */
export const notifyOffset = statement(
  'sandbox_notify_offset',
  `select pg_notify('sandbox_clock', :offset_ms::bigint::text)::text as notified`,
  { not_null: ['notified'] },
)
