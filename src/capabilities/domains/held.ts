// Before anything is asked or sent: what this customer holds already, or is buying already.
import { type App, type Call, Reply } from '../../app.ts'
import { domainAlreadyHeld, orderOpen } from './faults.ts'
import { operationOf, statusOfHolding } from './holding.ts'
import { statusWithOrder } from './purchased.ts'
import type { DomainStatus } from './shapes.ts'
import { holdingByName, lastOrder, openOrder } from './store.ts'

/**
 * The customer's open order for the domain, when it is the same request again; 409 order_open when
 * it is another one; 409 domain_already_held when the domain is the customer's.
 */
export async function refuseWhatIsHeld(
  app: App,
  call: Call,
  { domain, digest }: { domain: string; digest: string },
): Promise<Reply<DomainStatus> | undefined> {
  const open = await answerOpenOrder(app, call, { domain, digest })
  if (open) return open
  const holding = await call.sql.maybe(holdingByName, [call.customer_id, domain])
  if (!holding) return undefined
  const last = await call.sql.maybe(lastOrder, [call.customer_id, domain])
  throw domainAlreadyHeld({
    facts: { holding: statusOfHolding(holding, last, app.calendar.now()) },
  })
}

/** The customer's open order for the domain: its answer, or 409 order_open for another request. */
export async function answerOpenOrder(
  app: App,
  call: Call,
  { domain, digest }: { domain: string; digest: string },
): Promise<Reply<DomainStatus> | undefined> {
  const order = await call.sql.maybe(openOrder, [domain, call.customer_id])
  if (!order) return undefined
  if (order.digest === digest) return new Reply(await statusWithOrder(app, call.sql, order), {})
  throw orderOpen({ facts: { operation: operationOf(order) } })
}
