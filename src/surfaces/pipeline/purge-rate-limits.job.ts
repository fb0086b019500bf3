// Purges the windows of rate limits that ended.
import { job } from '../../app.ts'
import { purgeWindows } from './rate-limits.sql.ts'

const atOnce = 5_000

export const purgeLimits = job({
  name: 'purge_rate_limits',
  does: 'Deletes windows of rate limits that ended an hour ago.',
  every_ms: 3_600_000,
  async run(app) {
    const forgotten = await app.db.count(purgeWindows, [atOnce])
    return { more: forgotten === atOnce }
  },
})
