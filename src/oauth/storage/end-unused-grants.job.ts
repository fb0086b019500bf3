// Revokes grants that cannot be used: the code was not redeemed, or all tokens and keys have ended.
import { job } from '../../app.ts'
import { endUnusedGrantsBatch } from './grants.sql.ts'

const at_once = 500

export const endUnusedGrants = job({
  name: 'end_unused_oauth_grants',
  does: 'Ends consents whose app never requested a token, or whose tokens and keys have all ended.',
  every_ms: 300_000,
  async run(app) {
    const ended = await app.db.count(endUnusedGrantsBatch, { limit: at_once })
    return { more: ended === at_once }
  },
})
