// Deletes the records of signed requests that are too old to be repeated.
import { job } from '../../../../app.ts'
import { purgeRequests } from './signed-requests.sql.ts'

const at_once = 1_000

export const purgeDnsSignedRequests = job({
  name: 'purge_dns_signed_requests',
  does: 'Deletes the records of signed DNS requests once their signatures are too old.',
  every_ms: 60_000,
  async run(app) {
    const now = app.clock.now()
    const purged = await app.db.count(purgeRequests, { now, limit: BigInt(at_once) })
    return { more: purged === at_once }
  },
})
