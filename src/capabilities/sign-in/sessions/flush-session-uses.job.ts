// Write-behind of session uses: many calls in one statement, never on the path of a call.
import { type App, job } from '../../../app.ts'
import { usesOf } from './authenticate-session.ts'
import { flushSessionUses } from './sessions.sql.ts'

export const flushSessionUsesJob = job({
  name: 'flush_session_uses',
  does: "Writes when this node's sessions were last used.",
  every_ms: 5_000,
  per_node: true,
  async run(app) {
    await flushSessions(app)
    return { more: false }
  },
})

/** Uses that could not be written are kept, unless a later use came meanwhile. */
export async function flushSessions({ db }: Pick<App, 'db'>): Promise<void> {
  const uses = usesOf(db)
  if (uses.size === 0) return
  const taken = [...uses]
  uses.clear()
  try {
    await db.count(flushSessionUses, [taken.map(([id]) => id), taken.map(([, at]) => at)])
  } catch (error) {
    for (const [id, at] of taken) if (!uses.has(id)) uses.set(id, at)
    throw error
  }
}
