// Serves a zone before its delegation to us, because the registry shows new name servers from the
// moment at which it carries out a command, and its answer may take seconds, or be lost.
import type { App } from '../../../app.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { pushZone } from './zone-push.ts'
import { followHolding, serveZoneAhead } from './zones.sql.ts'

/**
 * How long a push to a provider of DNS may take; a zone that takes longer is pushed again later.
 */
const push_wait_ms = 3_000

type Asked = Pick<Holding, 'id' | 'customer_id' | 'name'>

/**
 * Serves the zone if all of these name servers are ours. Returns a function that ends this again,
 * for a command that the registry refused; if it is not called, the repair of zones does the same.
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
