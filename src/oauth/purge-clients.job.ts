// Forgets clients that registered and were never heard of again.
import { job } from '../app.ts'
import { purgeUnused } from './clients.sql.ts'

const unused_s = 86_400
const atOnce = 1_000

export const purgeClients = job({
  name: 'purge_oauth_clients',
  does: 'Deletes OAuth clients that nobody consented to within 24 hours of their registration.',
  every_ms: 600_000,
  async run(app) {
    const purged = await app.db.count(purgeUnused, [unused_s, atOnce])
    return { more: purged === atOnce }
  },
})
