// Serves a zone before its delegation to us: the registry shows new name servers from the moment at
// which it carries a command out, and its answer may take seconds, or be lost.
import type { App } from '../../../app.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { pushZone } from './zone-push.ts'
import { followHolding, serveZoneAhead } from './zones.sql.ts'

/** Of a provider of DNS, which gets the zone again later where this is not enough. */
const push_wait_ms = 3_000

type Asked = Pick<Holding, 'id' | 'customer_id' | 'name'>

/**
 * Serves the zone where all of these name servers are ours. Returns how to end that again, for a
 * command that the registry refused; the repair of zones does it where that is not called.
 */
export async function serveAhead(
  app: App,
  { id, customer_id, name }: Asked,
  nameservers: readonly string[],
): Promise<() => Promise<void>> {
  const asked = { id, customer_id, nameservers: [...nameservers] }
  if ((await app.db.run(serveZoneAhead, asked)).length === 0) return async () => {}
  await pushZone(app, name, push_wait_ms)
  return async () => void (await app.db.run(followHolding, { id, customer_id }))
}
