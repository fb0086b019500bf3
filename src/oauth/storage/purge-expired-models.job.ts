// Purges what is over: codes, tokens, sessions, interactions; and keys that nobody believes.
import { job } from '../../app.ts'
import { purgeKeys } from '../keys/keys.sql.ts'
import { purgeModels } from './models.sql.ts'

const at_once = 500

export const purgeOAuthModels = job({
  name: 'purge_oauth_models',
  does: 'Deletes codes, tokens, sessions and keys of the authorization server that are over.',
  every_ms: 60_000,
  async run(app) {
    const forgotten = await app.db.count(purgeModels, [BigInt(at_once)])
    await app.db.count(purgeKeys, [])
    return { more: forgotten === at_once }
  },
})
