// Write-behind of key uses: many calls in one statement, never on the path of a call.
import { type App, job } from '../../app.ts'
import { flushUses } from './api-keys.sql.ts'

export const flushUsesJob = job({
  name: 'flush_api_key_uses',
  does: "Writes when this node's API keys were last used.",
  every_ms: 5_000,
  per_node: true,
  async run(app) {
    await flushNow(app)
    return { more: false }
  },
})

export function flushNow({ db, keyUses }: Pick<App, 'db' | 'keyUses'>): Promise<void> {
  return keyUses.flush((ids, times) => db.count(flushUses, { ids, times }))
}
