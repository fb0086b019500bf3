// Purges Idempotency-Keys after their 24 hours.
import { job } from '../../../app.ts'
import { purgeKeys } from './orders.sql.ts'

const atOnce = 5_000

export const purgeIdempotencyKeys = job({
  name: 'purge_idempotency_keys',
  does: 'Deletes Idempotency-Keys and their answers after 24 hours.',
  every_ms: 3_600_000,
  async run(app) {
    const forgotten = await app.db.count(purgeKeys, [atOnce])
    return { more: forgotten === atOnce }
  },
})
