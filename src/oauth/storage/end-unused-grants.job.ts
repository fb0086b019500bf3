// Ends consents that can do nothing: whose code nobody redeemed, or whose tokens and keys are over.
import { job } from '../../app.ts'
import { endUnusedGrantsBatch } from './grants.sql.ts'

const at_once = 500

export const endUnusedGrants = job({
  name: 'end_unused_oauth_grants',
  does: 'Ends consents whose program never came for a token, or whose tokens and keys all ended.',
  every_ms: 300_000,
  async run(app) {
    const ended = await app.db.count(endUnusedGrantsBatch, [at_once])
    return { more: ended === at_once }
  },
})
