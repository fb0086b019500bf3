// Before anything is asked or sent: what this customer holds already, or is buying already.
import { type App, type Call, Reply } from '../../app.ts'
import { domainAlreadyHeld, orderOpen } from './faults.ts'
import { operationOf, statusOfHolding } from './holding.ts'
import { adopt, type Key } from './idempotency.ts'
import { statusWithOrder } from './purchased.ts'
import type { DomainStatus } from './shapes.ts'
import { holdingByName, lastOrder, openOrder } from './store.ts'

/** A paid request: `digest` is of what it buys, `key` of all that it says. */
export type Asked = { domain: string; digest: string; key: Key | null }

/**
 * The customer's open order for the domain, when it is the same request again; 409 order_open when
 * it is another one; 409 domain_already_held when the domain is the customer's.
 */
export async function refuseWhatIsHeld(
  app: App,
  call: Call,
  asked: Asked,
): Promise<Reply<DomainStatus> | undefined> {
  const { domain } = asked
  const open = await answerOpenOrder(app, call, asked)
  if (open) return open
  const holding = await call.sql.maybe(holdingByName, [call.customer_id, domain])
  if (!holding) return undefined
  const last = await call.sql.maybe(lastOrder, [call.customer_id, domain])
  throw domainAlreadyHeld({
    facts: { holding: statusOfHolding(holding, last, app.calendar.now()) },
  })
}

/**
 * The customer's open order for the domain: its answer, or 409 order_open for another request, as
 * one with another key is.
 */
export async function answerOpenOrder(
  app: App,
  call: Call,
  { domain, digest, key }: Asked,
): Promise<Reply<DomainStatus> | undefined> {
  const order = await call.sql.maybe(openOrder, [domain, call.customer_id])
  if (!order) return undefined
  const same = order.digest === digest && (key === null || (await adopt(call, key, order.id)))
  if (same) return new Reply(await statusWithOrder(app, call.sql, order), {})
  throw orderOpen({ facts: { operation: operationOf(order) } })
}
