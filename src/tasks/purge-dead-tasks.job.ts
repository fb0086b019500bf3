// Retention of dead letters. A task that is done is deleted at once.
import type { Database } from '../db/database.ts'
import { purgeDead } from './tasks.sql.ts'

const kept_days = 30
const at_once = 5_000

/** A job as `job()` in app.ts declares it, which this layer may not import. */
export const purgeDeadTasks = {
  name: 'purge_dead_tasks',
  does: 'Deletes dead tasks after 30 days.',
  every_ms: 3_600_000,
  async run({ db }: { db: Database }): Promise<{ more: boolean }> {
    return { more: (await db.count(purgeDead, [kept_days, at_once])) === at_once }
  },
}
