// Brings a customer's provider client in line with the customer's default registrant.

import Type from 'typebox'
import type { Outcome, Registry } from '../../../adapters/registry/port.ts'
import { type App, type Call, operation, operatorOnly } from '../../../app.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { stringOf } from '../../../kit/schema.ts'
import { done, enqueue, workTask } from '../../../tasks/index.ts'
import { customerAbsent, customerById, customerResponse } from '../../account/index.ts'
import {
  clientRegistrantMissing,
  providerClientBusy,
  providerRefused,
  providerUnreachable,
  providerWithoutClients,
} from '../faults.ts'
import {
  type Client,
  providersOf,
  putClient,
  refreshClient,
  refreshKey,
  registrantAt,
} from '../registry/provider-client.ts'
import { defaultRegistrant, putProviderClient } from '../registry/provider-clients.sql.ts'

export const reconcileProviderClient = operation({
  name: 'reconcile_provider_client',
  does: 'Update the contact object that represents a customer at a provider.',
  more:
    "It is made from the customer's default registrant, at every registry that stores contacts. " +
    '"provider_client" shows the object at the first registry of the registries file. Later ' +
    'changes of the contact are sent automatically within minutes.',
  at: 'POST /v1/customers/{customer_id}/reconcile-provider-client',
  area: 'Account and customers',
  who: operatorOnly(),
  takes: Type.Object({ customer_id: stringOf<CustomerId>({ description: 'The customer.' }) }),
  gives: customerResponse,
  fails: [
    customerAbsent,
    clientRegistrantMissing,
    providerWithoutClients,
    providerClientBusy,
    providerRefused,
    providerUnreachable,
  ],
  effect: 'own',
  target: ({ customer_id }) => ({ target_type: 'customer', target: customer_id, customer_id }),
  async run({ customer_id }, call, app) {
    const registrant = await call.sql.maybe(defaultRegistrant, { customer_id })
    if (!registrant) throw clientRegistrantMissing()
    const registries = providersOf(app)
    if (registries.length === 0) throw providerWithoutClients()
    const outcomes = await Promise.all(
      registries.map((registry, position) =>
        updateClient(app, call, { customer_id, contact_id: registrant.id, registry, position }),
      ),
    )
    mustBeDone(outcomes[0], registries[0])
    const customer = await customerById(call.sql, customer_id)
    if (!customer) throw customerAbsent()
    return customer
  },
})

/**
 * Undefined if another call or the job updates it, or if, at a registry other than the first, the
 * contact was deleted meanwhile.
 */
async function updateClient(
  app: App,
  call: Call,
  { position, ...client }: Client & { position: number },
): Promise<Outcome<unknown> | undefined> {
  const { customer_id, registry } = client
  const { name } = registry.profile
  const chosen = await registrantAt(app, client)
  if (!chosen) return missingAt(position)
  const client_id = chosen.contact.id
  await app.db.transaction(async (sql) => {
    await sql.count(putProviderClient, { customer_id, registry: name, position, client_id })
    await enqueue(sql, refreshClient, laterTask(app, client))
  })
  const put: { outcome?: Outcome<unknown> } = {}
  const end = await workTask(app, refreshClient, {
    key: refreshKey(client),
    bulkhead: name,
    handle: async () => {
      // Read again under the lease of the task: the contact may have changed since.
      const known = await registrantAt(app, client)
      if (!known) return done
      const { outcome, end } = await putClient(app, call, { client, known, priority: 'normal' })
      put.outcome = outcome
      return end
    },
  })
  if (!end) return undefined
  if (!put.outcome && end.end === 'done') return missingAt(position)
  const message = end.end === 'done' ? '' : end.reason
  const outcome = put.outcome ?? { kind: 'unknown', cause: 'not_sent', message }
  if (outcome.kind !== 'done')
    app.log.warn({ registry: name, customer_id, outcome }, 'provider client not updated')
  return outcome
}

/** Due later than this call, which runs it at once; the job runs it if this node dies. */
function laterTask(app: App, client: Client) {
  const { customer_id, registry } = client
  const run_at = new Date(app.clock.now().getTime() + refreshClient.backoff.first_ms)
  const key = refreshKey(client)
  const existing = 'replace' as const
  return { key, bulkhead: registry.profile.name, payload: { customer_id }, run_at, existing }
}

/** The response is about the first registry, whatever the outcome at the others. */
function missingAt(position: number): undefined {
  if (position === 0) throw clientRegistrantMissing()
}

function mustBeDone(outcome: Outcome<unknown> | undefined, registry: Registry | undefined): void {
  if (!outcome) throw providerClientBusy({ retry_after_s: 5 })
  switch (outcome.kind) {
    case 'done':
      return
    case 'refused':
      throw providerRefused({ detail: `${registry?.profile.name} refused: ${outcome.message}` })
    case 'accepted':
    case 'unknown':
      throw providerUnreachable({ retry_after_s: 10 })
  }
}
