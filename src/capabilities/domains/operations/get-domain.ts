// Reads one domain: the holding as the registry shows it, or the order that will make it: GET
// /v1/domains/{domain}.
import type { App } from '../../../app.ts'
import { domainNotFound } from '../faults.ts'
import { type Holding, lastStatusOf } from '../holdings/domain-presenter.ts'
import { holdingByName, lastHoldingOf } from '../holdings/holdings.sql.ts'
import { syncHolding } from '../holdings/sync.ts'
import { hostOf } from '../names.ts'
import { operationOf, statusOfOrder, statusWithOrder } from '../orders/order-presenter.ts'
import { lastOrder } from '../orders/orders.sql.ts'
import { domainOperation } from './domain-operation.ts'

export const getDomain = domainOperation({
  name: 'get_domain',
  does: 'Read one of your domains: status, expiry, name servers and open operation.',
  more: 'Read it back after every paid request.',
  at: 'GET /v1/domains/{domain}',
  scope: 'domains:read',
  fails: [domainNotFound],
  effect: 'none',
  tools: [
    {
      group: 'registration',
      title: 'Read a domain',
      destructive: false,
      idempotent: true,
    },
  ],
  async run({ domain }, call, app) {
    const name = hostOf(domain)
    // The order is read before the holding, so that an ended order is shown with its effect.
    const order = await call.sql.maybe(lastOrder, { customer_id: call.customer_id, domain: name })
    const found = await call.sql.maybe(holdingByName, { customer_id: call.customer_id, name })
    const now = app.calendar.now()
    const holding = found && (await refreshed(app, found))
    if (holding) return statusWithOrder(holding, order, now)
    if (order && !order.closed_at) return statusOfOrder(order)
    const last = await call.sql.maybe(lastHoldingOf, { customer_id: call.customer_id, name })
    // The departure is shown, unless an order that failed after it is newer.
    const gone = last?.end_reason === 'transferred_away' ? last : undefined
    if (gone?.ended_at && (!order || order.created_at < gone.ended_at))
      return lastStatusOf(gone, order ? operationOf(order) : null)
    if (order?.state === 'failed') return statusOfOrder(order)
    throw domainNotFound()
  },
})

const freshMs = 60_000

/**
 * The holding with the registry's facts, which are at most a minute old unless the registry is
 * silent. Undefined if the reading ended it.
 */
async function refreshed(app: App, holding: Holding): Promise<Holding | undefined> {
  const age = app.calendar.now().getTime() - (holding.synced_at?.getTime() ?? 0)
  if (age >= 0 && age < freshMs) return holding
  const synced = await syncHolding(app, holding, 'normal')
  switch (synced.kind) {
    case 'held':
    case 'missing':
      return synced.holding
    case 'silent':
      return holding
    case 'left':
    case 'dropped':
      return undefined
  }
}
