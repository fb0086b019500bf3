// Forgets what nobody needs any more: sessions, links, places and failures of long ago.
import { job } from '../../app.ts'
import { forgetFailures, forgetPlaces } from './passwords/passwords.sql.ts'
import { forgetLinksBefore } from './resets/links.sql.ts'
import { forgetSessionsBefore } from './sessions/sessions.sql.ts'

const day_ms = 86_400_000
const atOnce = 5_000

export const forgetSignIns = job({
  name: 'forget_sign_ins',
  does:
    'Deletes sessions SESSIONS_KEPT_DAYS after their end, mailed links after a day, usual places ' +
    'after PLACES_KEPT_DAYS, and failures that count no more.',
  every_ms: 3_600_000,
  async run(app) {
    const ago = (days: number) => new Date(app.clock.now().getTime() - days * day_ms)
    const { sessions_kept_days, places_kept_days } = app.settings
    const forgotten = [
      await app.db.count(forgetSessionsBefore, [ago(sessions_kept_days), atOnce]),
      await app.db.count(forgetLinksBefore, [ago(1), atOnce]),
      await app.db.count(forgetPlaces, [ago(places_kept_days), atOnce]),
      await app.db.count(forgetFailures, [atOnce]),
    ]
    return { more: forgotten.includes(atOnce) }
  },
})
