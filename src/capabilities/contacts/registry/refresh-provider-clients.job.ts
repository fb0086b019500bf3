// Refreshes stale provider clients from the default registrant.

import type { Registry } from '../../../adapters/registry/port.ts'
import { type App, type Call, job } from '../../../app.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { done, inBulkheads, type TaskEnd, workTasks } from '../../../tasks/index.ts'
import { providersOf, putClient, refreshClient, registrantAt } from './provider-client.ts'
import { staleRegistrant } from './provider-clients.sql.ts'
import { wordsOf } from './sync-contacts.job.ts'

const at_once = 20
const every_ms = 60_000

export const refreshProviderClients = job({
  name: 'refresh_provider_clients',
  does: 'Updates provider clients whose default registrant has changed.',
  every_ms,
  per_node: true,
  run: (app, call) =>
    inBulkheads(providersOf(app), (registry) => refreshAll(app, call, registry), every_ms),
})

async function refreshAll(app: App, call: Call, registry: Registry): Promise<{ more: boolean }> {
  // While a registry is down, one claim probes it.
  const isDown = () => registry.health().state === 'down'
  const limit = isDown() ? 1 : at_once
  const claimed = await workTasks(app, refreshClient, {
    bulkhead: registry.profile.name,
    limit,
    handle: ({ payload }) => refresh(app, call, { registry, ...payload }),
  })
  return { more: claimed === limit && !isDown() }
}

type Behind = { customer_id: CustomerId; registry: Registry }

async function refresh(app: App, call: Call, behind: Behind): Promise<TaskEnd> {
  const { customer_id, registry } = behind
  const { name } = registry.profile
  const stale = await app.db.maybe(staleRegistrant, { customer_id, registry: name })
  if (!stale) return done
  const client = { ...behind, ...stale }
  const known = await registrantAt(app, client)
  if (!known) return done
  const { outcome, end } = await putClient(app, call, { client, known, priority: 'background' })
  if (outcome.kind === 'refused')
    app.log.warn(
      { customer_id, registry: name, reason: wordsOf(outcome) },
      'registry refused an update of a provider client',
    )
  return end
}
