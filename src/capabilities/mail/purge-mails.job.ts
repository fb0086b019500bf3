// Retention of the texts of mails; their rows stay for longer (src/tasks/purge.job.ts).
import { job } from '../../app.ts'
import { purgeBodies } from './mails.sql.ts'

const at_once = 5_000

export const purgeMailTexts = job({
  name: 'purge_mail_texts',
  does: 'Deletes the texts of mails MAIL_TEXTS_KEPT_DAYS after they were sent or failed.',
  every_ms: 3_600_000,
  async run({ db, settings }) {
    const purged = await db.count(purgeBodies, {
      days: settings.mail_texts_kept_days,
      limit: at_once,
    })
    return { more: purged === at_once }
  },
})
