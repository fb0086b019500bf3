// Write-behind of key uses: many calls in one statement, never on the path of a call.
import { type App, job } from '../../app.ts'
import { flushUses } from './api-keys.sql.ts'
import { accessOf } from './key-cache.ts'

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

/**
 * Takes the uses noted so far; those that could not be written are kept, unless a later use came
 * meanwhile.
 */
export async function flushNow({ db }: Pick<App, 'db'>): Promise<void> {
  const { uses } = accessOf(db)
  if (uses.size === 0) return
  const taken = [...uses]
  uses.clear()
  try {
    await db.count(flushUses, [taken.map(([id]) => id), taken.map(([, at]) => at)])
  } catch (error) {
    for (const [id, at] of taken) if (!uses.has(id)) uses.set(id, at)
    throw error
  }
}
