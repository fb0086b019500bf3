// Deletes changes of DNS records once they are older than a year.
import { job } from '../../../app.ts'
import { purgeOrderedRecords } from './ordered-records/ordered-records.sql.ts'
import { purgeDnsChanges } from './record-sets/change.sql.ts'
import { purgeNameserverConfirmations } from './unconfirmed/nameserver-confirmations.sql.ts'

const kept_ms = 365 * 86_400_000
const at_once = 1_000
/** An order is placed within moments of its records. */
const placed_ms = 3_600_000

export const purgeOldDnsChanges = job({
  name: 'purge_dns_changes',
  does: 'Deletes changes of DNS records after a year, and those of orders that were not placed.',
  every_ms: 3_600_000,
  async run(app) {
    const now = app.clock.now().getTime()
    const limit = BigInt(at_once)
    const before = new Date(now - kept_ms)
    const purged = await app.db.count(purgeDnsChanges, { before, limit })
    const decided = await app.db.count(purgeNameserverConfirmations, { before, limit })
    const ended = await app.db.count(purgeOrderedRecords, {
      before: new Date(now - placed_ms),
      limit,
    })
    return { more: [purged, decided, ended].includes(at_once) }
  },
})
