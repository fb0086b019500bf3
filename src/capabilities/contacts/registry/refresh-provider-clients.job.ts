// Brings provider clients to the default registrant, where that has changed.

import type { Registry } from '../../../adapters/registry/port.ts'
import { type App, type Call, job } from '../../../app.ts'
import { inBulkheads } from '../../../tasks/index.ts'
import { client_lease_s, providersOf, putClient, registrantAt } from './provider-client.ts'
import { claimStaleClients } from './provider-clients.sql.ts'

const atOnce = 20
const every_ms = 60_000

export const refreshProviderClients = job({
  name: 'refresh_provider_clients',
  does: 'Brings provider clients to the default registrant, where that has changed.',
  every_ms,
  run: (app, call) =>
    inBulkheads(providersOf(app), (registry) => refreshAll(app, call, registry), every_ms),
})

async function refreshAll(app: App, call: Call, registry: Registry): Promise<{ more: boolean }> {
  // While it is down, one finds out when it is back.
  const isDown = () => registry.health().state === 'down'
  const most = isDown() ? 1 : atOnce
  const due = await app.db.run(claimStaleClients, [[registry.profile.name], client_lease_s, most])
  await Promise.all(
    due.map(async ({ customer_id, contact_id }) => {
      const client = { customer_id, contact_id, registry }
      const known = await registrantAt(app, client)
      if (known) await putClient(app, call, { client, known, priority: 'background' })
    }),
  )
  return { more: due.length === most && !isDown() }
}
