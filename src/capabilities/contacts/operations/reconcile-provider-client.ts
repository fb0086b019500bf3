// Reconciliation of a customer's provider client with its default registrant.
import Type from 'typebox'
import type { Outcome, Registry } from '../../../adapters/registry/port.ts'
import { type App, type Call, operation, operatorOnly } from '../../../app.ts'
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
  client_lease_s,
  postponeRefresh,
  providersOf,
  putClient,
  registrantAt,
} from '../registry/provider-client.ts'
import { beginClient, defaultRegistrant } from '../registry/provider-clients.sql.ts'

export const reconcileProviderClient = operation({
  name: 'reconcile_provider_client',
  does: 'Reconcile the contact object that represents a customer at a provider.',
  more:
    "It is made from the customer's default registrant, at every registry that stores contacts. " +
    '"provider_client" shows that of the first in the registries file. Later changes of the ' +
    'contact are sent automatically within minutes.',
  at: 'POST /v1/customers/{customer_id}/reconcile-provider-client',
  area: 'Account and customers',
  who: operatorOnly(),
  takes: Type.Object({ customer_id: Type.String({ description: 'The customer.' }) }),
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
        reconcile(app, call, { customer_id, contact_id: registrant.id, registry, position }),
      ),
    )
    mustBeDone(outcomes[0], registries[0])
    const customer = await customerById(call.sql, customer_id)
    if (!customer) throw customerAbsent()
    return customer
  },
})

/**
 * Undefined: another call holds the lease; or, at another than the first registry, the contact was
 * deleted meanwhile.
 */
async function reconcile(
  app: App,
  call: Call,
  { position, ...client }: Client & { position: number },
): Promise<Outcome<unknown> | undefined> {
  const { customer_id, registry } = client
  const { name } = registry.profile
  const chosen = await registrantAt(app, client)
  if (!chosen) return missingAt(position)
  const client_id = chosen.contact.id
  const begun = { customer_id, registry: name, position, client_id, lease_s: client_lease_s }
  if (!(await app.db.maybe(beginClient, begun))) return undefined
  // Read again under the lease: the contact may have changed since.
  const known = await registrantAt(app, client)
  if (!known) return missingAt(position)
  const outcome = await putClient(app, call, { client, known, priority: 'normal' })
  if (outcome.kind === 'unknown' || outcome.kind === 'accepted') await postponeRefresh(app, client)
  if (outcome.kind !== 'done')
    app.log.warn({ registry: name, customer_id, outcome }, 'provider client not reconciled')
  return outcome
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
