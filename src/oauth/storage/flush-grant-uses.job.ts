// Writes when consents were last used: for many calls at once, never on the way of a call.
import { type App, job } from '../../app.ts'
import { pendingGrantUses } from '../routes/access-token.ts'
import { flushGrantUses } from './models.sql.ts'

export const flushOAuthUses = job({
  name: 'flush_oauth_grant_uses',
  does: "Writes when this node's OAuth tokens were last used.",
  every_ms: 5_000,
  per_node: true,
  async run(app) {
    await writeGrantUses(app)
    return { more: false }
  },
})

/** What could not be written is noted again, unless a later use came meanwhile. */
export async function writeGrantUses({ db }: Pick<App, 'db'>): Promise<void> {
  const uses = pendingGrantUses(db)
  if (uses.size === 0) return
  const taken = [...uses]
  uses.clear()
  try {
    await db.count(flushGrantUses, [taken.map(([id]) => id), taken.map(([, at]) => at)])
  } catch (error) {
    for (const [id, at] of taken) if (!uses.has(id)) uses.set(id, at)
    throw error
  }
}
