// Writes the times of last use: many calls in one statement for each kind of credential, never on
// the path of a call.
import { type App, job } from '../../../app.ts'
import { flushGrantUses, flushKeyUses, flushSessionUses } from './last-uses.sql.ts'

export const flushLastUses = job({
  name: 'flush_last_uses',
  does: "Writes when this node's API keys, sessions and OAuth tokens were last used.",
  every_ms: 5_000,
  per_node: true,
  async run(app) {
    await writeLastUses(app)
    return { more: false }
  },
})

/**
 * Writes all that were noted so far, also when the node stops. A kind that cannot be written keeps
 * its times for the next flush and does not hold up the others; then this rejects.
 */
export async function writeLastUses({ db, lastUses }: Pick<App, 'db' | 'lastUses'>): Promise<void> {
  const { api_keys, sessions, oauth_grants } = lastUses
  const written = await Promise.allSettled([
    api_keys.flush((ids, times) => db.count(flushKeyUses, { ids, times })),
    sessions.flush((ids, times) => db.count(flushSessionUses, { ids, times })),
    oauth_grants.flush((ids, times) => db.count(flushGrantUses, { ids, times })),
  ])
  const failures = written.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  if (failures.length > 1) throw new AggregateError(failures, messagesOf(failures))
  if (failures.length === 1) throw failures[0]
}

function messagesOf(failures: unknown[]): string {
  return failures.map((one) => (one instanceof Error ? one.message : String(one))).join('; ')
}
