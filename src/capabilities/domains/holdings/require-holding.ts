// The holding that an operation is about; a name that is only ordered yet is not absent.
import type { Call } from '../../../app.ts'
import { domainNotFound } from '../faults.ts'
import { openOrder } from '../orders/orders.sql.ts'
import { type Holding, operationOf } from './domain-presenter.ts'
import { holdingByName } from './holdings.sql.ts'
import { situationOfOrder } from './situation.ts'
import { type DomainAction, refusalOf } from './state-rules.ts'

/**
 * Throws what the table of states says of a name with an open order and no holding (409, to wait),
 * with the operation; 404 for a name that is not the customer's at all.
 */
export async function requireHolding(
  { sql, customer_id }: Pick<Call, 'sql' | 'customer_id'>,
  domain: string,
  action: DomainAction,
): Promise<Holding> {
  const held = await sql.maybe(holdingByName, [customer_id, domain])
  if (held) return held
  const order = await sql.maybe(openOrder, [domain, customer_id])
  const refusal = order && refusalOf(situationOfOrder(order), action)
  if (order && refusal) throw refusal({ facts: { operation: operationOf(order) } })
  // The order may have ended between the two readings.
  const bought = await sql.maybe(holdingByName, [customer_id, domain])
  if (!bought) throw domainNotFound()
  return bought
}
