// Alarms about the log: rows that every node's health reads, and a line in the log of the node
// that raised one.
import type { App } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { activeAlarms, raiseAlarm } from './alarms.sql.ts'

/** An alarm is active this long after it was last seen. */
const alarm_lasts_ms = 30_000

type Alarm = {
  /** The subject; one row and, while it lasts, one line of the log each. */
  subject: string
  detail: string
  stops_sealing: boolean
  alarm: 'audit_log_cut' | 'audit_log_unsound'
}

export async function alarmAbout(
  { db, log }: { db: Sql; log: App['log'] },
  { subject, detail, stops_sealing, alarm }: Alarm,
): Promise<void> {
  const { fresh } = await db.one(raiseAlarm, {
    subject,
    stops_sealing,
    detail,
    lasts_ms: alarm_lasts_ms,
  })
  if (fresh) log.error({ alarm, detail }, 'audit log needs manual review')
}

/** For health: the active alarms about the log, up to half a minute old. */
export async function auditHealth(
  sql: Sql,
): Promise<{ state: 'up' | 'down'; detail: string | null }> {
  const alarms = await sql.run(activeAlarms, { lasts_ms: alarm_lasts_ms })
  if (alarms.length === 0) return { state: 'up', detail: null }
  return { state: 'down', detail: alarms.map(({ detail }) => detail).join(' ') }
}
