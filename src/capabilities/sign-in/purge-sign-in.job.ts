// Purges old sessions, links, known places and failed attempts.
import { job } from '../../app.ts'
import { purgeFailures, purgePlaces } from './passwords/passwords.sql.ts'
import { purgeLinksBefore } from './resets/links.sql.ts'
import { purgeSessionsBefore } from './sessions/sessions.sql.ts'

const day_ms = 86_400_000
const atOnce = 5_000

export const purgeSignIns = job({
  name: 'purge_sign_ins',
  does:
    'Deletes sessions SESSIONS_KEPT_DAYS after their end, mailed links after a day, usual places ' +
    'after PLACES_KEPT_DAYS, and failures that no longer count.',
  every_ms: 3_600_000,
  async run(app) {
    const ago = (days: number) => new Date(app.clock.now().getTime() - days * day_ms)
    const { sessions_kept_days, places_kept_days } = app.settings
    const forgotten = [
      await app.db.count(purgeSessionsBefore, [ago(sessions_kept_days), atOnce]),
      await app.db.count(purgeLinksBefore, [ago(1), atOnce]),
      await app.db.count(purgePlaces, [ago(places_kept_days), atOnce]),
      await app.db.count(purgeFailures, [atOnce]),
    ]
    return { more: forgotten.includes(atOnce) }
  },
})
