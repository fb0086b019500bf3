// Purges what registries told long ago.
import { job } from '../../../app.ts'
import { purgeOldMessages } from './purge-registry-messages.sql.ts'

const atOnce = 5_000

export const purgeMessages = job({
  name: 'purge_registry_messages',
  does: "Deletes registries' messages MESSAGES_KEPT_DAYS after they were taken off their queue.",
  every_ms: 3_600_000,
  async run(app) {
    const { messages_kept_days } = app.settings
    const forgotten = await app.db.count(purgeOldMessages, [messages_kept_days, atOnce])
    return { more: forgotten === atOnce }
  },
})
