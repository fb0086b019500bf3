// Write-behind of consent uses: many calls in one statement, never on the path of a call.
import { type App, job } from '../../app.ts'
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

export function writeGrantUses({ db, grantUses }: Pick<App, 'db' | 'grantUses'>): Promise<void> {
  return grantUses.flush((ids, times) => db.count(flushGrantUses, { ids, times }))
}
