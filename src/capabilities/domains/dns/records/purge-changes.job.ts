// Deletes changes of DNS records that are older than they are kept.
import { job } from '../../../../app.ts'
import { purgeDnsChanges } from './change.sql.ts'

const kept_ms = 365 * 86_400_000
const at_once = 1_000

export const purgeOldDnsChanges = job({
  name: 'purge_dns_changes',
  does: 'Deletes changes of DNS records after a year.',
  every_ms: 3_600_000,
  async run(app) {
    const before = new Date(app.clock.now().getTime() - kept_ms)
    const purged = await app.db.count(purgeDnsChanges, { before, limit: BigInt(at_once) })
    return { more: purged === at_once }
  },
})
