// Forgets what old mails said; that they were sent, when and to whom stays.
import { job } from '../../app.ts'
import { forgetBodies } from './store.ts'

const kept_days = 30
const atOnce = 5_000

export const forgetMails = job({
  name: 'forget_mails',
  does: 'Forgets the texts of mails that were sent or failed 30 days ago.',
  every_ms: 3_600_000,
  async run(app) {
    const forgotten = await app.db.count(forgetBodies, [kept_days, atOnce])
    return { more: forgotten === atOnce }
  },
})
