// Retention of unused OAuth clients, of cached metadata documents and of revoked grants.
import { job } from '../../app.ts'
import { purgeGrants } from '../storage/grants.sql.ts'
import { max_stale_ms } from './metadata-documents/document-cache.ts'
import { purgeDocuments } from './metadata-documents/metadata-documents.sql.ts'
import { purgeUnusedClients } from './registration-quota.ts'

const unused_s = 86_400
const atOnce = 1_000
// The most documents of clients without a grant that are kept.
const mostDocuments = 10_000

export const purgeClients = job({
  name: 'purge_oauth_clients',
  does: 'Deletes OAuth clients that got no consent within 24 hours of their registration.',
  every_ms: 600_000,
  async run(app) {
    const all = { older_s: unused_s, share_s: unused_s, most: atOnce }
    const purged = await purgeUnusedClients(app.db, all)
    const oldest = new Date(app.clock.now().getTime() - max_stale_ms)
    const documents = await app.db.count(purgeDocuments, {
      before: oldest,
      keep: mostDocuments,
      limit: atOnce,
    })
    const grants = await app.db.one(purgeGrants, {
      days: app.settings.grants_kept_days,
      limit: atOnce,
    })
    return { more: [purged, documents, grants.looked_at].includes(atOnce) }
  },
})
