// Retention of notices of long-ended terms, and of claims that a crash left behind.
import { job } from '../../../app.ts'
import { addDays } from '../holdings/lifecycle.ts'
import { purgeChanges, purgeNotices } from './purge-expiry-records.sql.ts'

const atOnce = 5_000

export const purgeRecords = job({
  name: 'purge_domain_records',
  does: 'Deletes notices NOTICES_KEPT_DAYS after the expiry they are about, and abandoned claims.',
  every_ms: 3_600_000,
  async run({ db, calendar, settings }) {
    const before = addDays(calendar.now(), -settings.notices_kept_days)
    const forgotten = [
      await db.count(purgeNotices, [before, atOnce]),
      await db.count(purgeChanges, [atOnce]),
    ]
    return { more: forgotten.includes(atOnce) }
  },
})
