// Retention: one job deletes rows that are older than their time, by a table of rules. Rows with
// more than one age (texts of mails, OAuth models) have a job of their own.
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import type { Clock } from '../kit/clock.ts'
import * as rows from './purge.sql.ts'

type Settings = {
  mails_kept_days: number
  messages_kept_days: number
  notices_kept_days: number
  sign_ups_kept_days: number
  sessions_kept_days: number
  places_kept_days: number
  support_kept_days: number
  approvals_kept_days: number
}
/** The parts of the app that retention needs; this layer does not know the App. */
type PurgeApp = { db: Database; log: Logger; clock: Clock; calendar: Clock; settings: Settings }
type Rule = {
  rows: (typeof rows)[keyof typeof rows]
  /** A setting, or days. */
  age: keyof Settings | number
  /** True for the registries' time; it goes by the database's if not given. */
  calendar?: true
}

const hour = 1 / 24
const rules: readonly Rule[] = [
  { rows: rows.purgeEndedMails, age: 'mails_kept_days' },
  { rows: rows.purgeMessages, age: 'messages_kept_days' },
  { rows: rows.purgeNotices, age: 'notices_kept_days', calendar: true },
  { rows: rows.purgeSessions, age: 'sessions_kept_days' },
  { rows: rows.purgeOperatorSessions, age: 'sessions_kept_days' },
  { rows: rows.purgeSignUps, age: 'sign_ups_kept_days' },
  { rows: rows.purgeNetworks, age: 'places_kept_days' },
  { rows: rows.purgeConversations, age: 'support_kept_days' },
  { rows: rows.purgeApprovals, age: 'approvals_kept_days' },
  { rows: rows.purgeDeadTasks, age: 30 },
  { rows: rows.purgeClientNames, age: 30 },
  { rows: rows.purgeFailures, age: 2 },
  // No change of a domain takes a day.
  { rows: rows.purgeChanges, age: 1 },
  { rows: rows.purgeIdempotencyKeys, age: 1 },
  { rows: rows.purgeLinks, age: 1 },
  { rows: rows.purgeQuotes, age: 1 },
  { rows: rows.purgeEmailChanges, age: 1 },
  { rows: rows.purgeSsoLogIns, age: 1 },
  { rows: rows.purgeChallenges, age: hour },
  { rows: rows.purgeStreamNodes, age: hour },
  { rows: rows.purgeWebhookSecrets, age: hour },
  { rows: rows.purgeScannedAddresses, age: hour },
  // No window is longer than an hour.
  { rows: rows.purgeScans, age: 2 * hour },
  { rows: rows.purgeWindows, age: 2 * hour },
]
const day_ms = 86_400_000
const at_once = 5_000

/** A job as `job()` in app.ts declares it, which this layer may not import. */
export const purgeExpiredRows = {
  name: 'purge_expired_rows',
  does: 'Deletes rows that are older than their time of retention (docs/database-retention.md).',
  every_ms: 3_600_000,
  async run(app: PurgeApp): Promise<{ more: boolean }> {
    let more = false
    const errors: unknown[] = []
    for (const rule of rules)
      try {
        if ((await purgeBatch(app, rule)) === at_once) more = true
      } catch (error) {
        // The other tables are purged all the same.
        app.log.error({ err: error, statement: rule.rows.name }, 'rows not purged')
        errors.push(error)
      }
    if (errors.length > 0) throw errors[0]
    return { more }
  },
}

function purgeBatch(app: PurgeApp, { rows, age, calendar }: Rule): Promise<number> {
  const now = (calendar ? app.calendar : app.clock).now()
  const days = typeof age === 'number' ? age : app.settings[age]
  return app.db.count(rows, { before: new Date(now.getTime() - days * day_ms), limit: at_once })
}
