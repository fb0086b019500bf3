// Before anything is asked or sent: what this customer holds already, or is buying already.
import { type Call, Reply } from '../../app.ts'
import { domainAlreadyHeld, orderOpen } from './faults.ts'
import { operationOf, statusOfHolding, statusOfOrder } from './holding.ts'
import type { DomainStatus } from './shapes.ts'
import { holdingByName, lastOrder, openOrder } from './store.ts'

/**
 * The customer's open order for the domain, when it is the same request again; 409 order_open when
 * it is another one; 409 domain_already_held when the domain is the customer's.
 */
export async function refuseWhatIsHeld(
  call: Call,
  domain: string,
  digest: string,
): Promise<Reply<DomainStatus> | undefined> {
  const order = await call.sql.maybe(openOrder, [domain, call.customer_id])
  if (order) {
    if (order.digest === digest) return new Reply(statusOfOrder(order), {})
    throw orderOpen({ facts: { operation: operationOf(order) } })
  }
  const holding = await call.sql.maybe(holdingByName, [call.customer_id, domain])
  if (!holding) return undefined
  const last = await call.sql.maybe(lastOrder, [call.customer_id, domain])
  throw domainAlreadyHeld({ facts: { holding: statusOfHolding(holding, last) } })
}
