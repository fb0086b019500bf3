// Retention of mails: first their texts go, later the rows that say when and to whom.
import { job } from '../../app.ts'
import { purgeBodies, purgeEnded } from './mails.sql.ts'

const atOnce = 5_000

export const purgeMails = job({
  name: 'purge_mails',
  does:
    'Deletes the texts of mails MAIL_TEXTS_KEPT_DAYS after their end, and mails after ' +
    'MAILS_KEPT_DAYS.',
  every_ms: 3_600_000,
  async run({ db, settings }) {
    const forgotten = [
      await db.count(purgeBodies, [settings.mail_texts_kept_days, atOnce]),
      await db.count(purgeEnded, [settings.mails_kept_days, atOnce]),
    ]
    return { more: forgotten.includes(atOnce) }
  },
})
