// GET one domain: the holding as the registry shows it, or the order that is to make it.
import Type from 'typebox'
import { type App, type Call, operation, owner } from '../../app.ts'
import { InvalidInput } from '../../kit/fault.ts'
import { parseHost } from '../../kit/host.ts'
import { domainNotFound } from './faults.ts'
import { type Holding, statusOfHolding, statusOfOrder } from './holding.ts'
import { domainStatus } from './shapes.ts'
import { holdingByName, lastOrder, refreshHolding } from './store.ts'

export const getDomain = operation({
  name: 'get_domain',
  does: 'Read one domain of yours, with its status, expiry, name servers and open operation.',
  more: 'Read it back after every paid request. Example: {"domain": "my-agent.com"}',
  at: 'GET /v1/domains/{domain}',
  area: 'Domains',
  who: owner('domains:read'),
  takes: Type.Object({
    domain: Type.String({ minLength: 1, maxLength: 1024, description: 'The name.' }),
  }),
  gives: domainStatus,
  fails: [domainNotFound],
  effect: 'none',
  tools: [{ title: 'Read a domain', destructive: false, idempotent: true, open_world: true }],
  async run({ domain }, call, app) {
    const name = hostOf(domain)
    const holding = await call.sql.maybe(holdingByName, [call.customer_id, name])
    const order = await call.sql.maybe(lastOrder, [call.customer_id, name])
    if (holding) return statusOfHolding(await refreshed(app, call, holding), order)
    if (order) return statusOfOrder(order)
    throw domainNotFound()
  },
})

/** A name in a path; 422 when it cannot be one. */
function hostOf(text: string): string {
  const name = parseHost(text)
  if (name !== undefined) return name
  const msg = 'Input should be a domain name'
  throw new InvalidInput([{ path: ['domain'], msg, type: 'domain_name' }])
}

const freshMs = 60_000

/**
 * The holding with the registry's facts, at most a minute old; what we know already while the
 * registry is silent.
 */
async function refreshed(app: App, call: Call, holding: Holding): Promise<Holding> {
  const age = app.clock.now().getTime() - (holding.synced_at?.getTime() ?? 0)
  if (age < freshMs) return holding
  const tld = holding.name.slice(holding.name.indexOf('.') + 1)
  const registry = app.registries.forTld(tld)?.registry
  const read = await registry?.read(holding.name, 'normal')
  if (read?.kind !== 'done' || read.value.sponsor !== registry?.profile.client_id) return holding
  const found = read.value
  const row = await app.db.maybe(refreshHolding, [
    holding.id,
    call.customer_id,
    new Date(found.expires_at),
    found.nameservers,
    found.epp_statuses,
    found.rgp_statuses,
  ])
  return row ?? holding
}
