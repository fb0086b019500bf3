// SQL of alarms about the log.
import { statement } from '../../../db/statement.ts'

/**
 * Raises an alarm, or keeps it up. `fresh`: it was not up within the last `lasts_ms`.
 */
export const raiseAlarm = statement(
  'audit_raise_alarm',
  `with before as (select seen_at from audit_alarms where subject = :subject)
   insert into audit_alarms (subject, stops_sealing, detail)
   values (:subject, :stops_sealing, :detail)
   on conflict (subject) do update
     set seen_at = clock_timestamp(), detail = excluded.detail,
         stops_sealing = excluded.stops_sealing
   returning coalesce(
     (select seen_at from before) < clock_timestamp() - :lasts_ms::int * interval '1 millisecond',
     true) as fresh`,
  { not_null: ['fresh'] },
)

export const activeAlarms = statement(
  'audit_active_alarms',
  `select subject, detail from audit_alarms
    where seen_at > clock_timestamp() - :lasts_ms::int * interval '1 millisecond' order by subject`,
)

export const endAlarms = statement(
  'audit_end_alarms',
  `update audit_alarms set seen_at = '-infinity' where stops_sealing`,
)
