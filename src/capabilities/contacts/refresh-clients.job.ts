// Brings provider clients to the default registrant, where that has changed.
import { job } from '../../app.ts'
import { client_lease_s, providersOf, putClient, registrantAt } from './provider-client.ts'
import { claimStaleClients } from './provider-clients.sql.ts'

const atOnce = 20

export const refreshProviderClients = job({
  name: 'refresh_provider_clients',
  does: 'Brings provider clients to the default registrant, where that has changed.',
  every_ms: 60_000,
  async run(app, call) {
    const registries = new Map(providersOf(app).map((one) => [one.profile.name, one]))
    const names = [...registries.keys()]
    const due = await app.db.run(claimStaleClients, [names, client_lease_s, atOnce])
    await Promise.all(
      due.map(async ({ customer_id, contact_id, registry: name }) => {
        const registry = registries.get(name)
        if (!registry) return
        const client = { customer_id, contact_id, registry }
        const known = await registrantAt(app, client)
        if (known) await putClient(app, call, { client, known, priority: 'background' })
      }),
    )
    return { more: due.length === atOnce }
  },
})
