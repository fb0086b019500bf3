// The nightly trial balance: compares the whole ledger with its evidence, and raises an alarm where
// they differ.
import { job } from '../../../app.ts'
import { lastCheck, storeCheck } from './ledger-reports.sql.ts'
import { alarmIfUnsound, balance, snapshot } from './trial-balance.ts'

const hour_ms = 3_600_000
/** Hours in UTC: from the first one until before the second. */
const night = [1, 5] as const

/**
 * It runs once each night. It runs at any hour if there was no trial balance yet, or none for a day
 * and a half because nodes were down or each try failed.
 */
export function isCheckDue(now: Date, last: Date | null): boolean {
  if (last === null) return true
  const age_h = (now.getTime() - last.getTime()) / hour_ms
  const hour = now.getUTCHours()
  const isNight = hour >= night[0] && hour < night[1]
  return age_h > 36 || (isNight && age_h > 20)
}

export const checkLedger = job({
  name: 'check_ledger',
  does: 'Takes the trial balance once a night, and raises an alarm where the ledger differs.',
  every_ms: hour_ms,
  async run(app) {
    const began_at = app.clock.now()
    const last = await app.db.maybe(lastCheck)
    if (!isCheckDue(began_at, last?.finished_at ?? null)) return { more: false }
    const report = await app.db.apart((sql) => balance(sql, null), snapshot)
    alarmIfUnsound(app, report)
    const { sound, comparison } = report
    await app.db.run(storeCheck, { began_at, sound, differing: comparison?.differing ?? 0 })
    return { more: false }
  },
})
