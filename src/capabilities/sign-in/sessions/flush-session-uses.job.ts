// Write-behind of session uses: many calls in one statement, never on the path of a call.
import { type App, job } from '../../../app.ts'
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

export function flushSessions({ db, sessionUses }: Pick<App, 'db' | 'sessionUses'>): Promise<void> {
  return sessionUses.flush((ids, times) => db.count(flushSessionUses, { ids, times }))
}
