// Purges expired codes, tokens, sessions and interactions, and retired signing keys.
import { job } from '../../app.ts'
import { purgeKeys } from '../keys/keys.sql.ts'
import { purgeModels } from './models.sql.ts'

const at_once = 500

export const purgeOAuthModels = job({
  name: 'purge_oauth_models',
  does: 'Deletes expired codes, tokens, sessions and keys of the authorization server.',
  every_ms: 60_000,
  async run(app) {
    const purged = await app.db.count(purgeModels, { limit: BigInt(at_once) })
    await app.db.count(purgeKeys)
    return { more: purged === at_once }
  },
})
