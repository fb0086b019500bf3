// Retention of events. The newest place that was deleted is kept, so that a cursor from before it
// is refused and never skips deleted events.
import { job } from '../../../app.ts'
import { purgeEvents } from './events.sql.ts'

const at_once = 5_000
const day_ms = 86_400_000

export const purgeEventsJob = job({
  name: 'purge_events',
  does: 'Deletes events EVENTS_KEPT_DAYS after they happened.',
  every_ms: 3_600_000,
  async run({ db, clock, settings }) {
    const before = new Date(clock.now().getTime() - settings.events_kept_days * day_ms)
    const { purged } = await db.one(purgeEvents, { before, limit: at_once })
    return { more: Number(purged) === at_once }
  },
})
