// What the buyer is told at the end of a round, now and whenever the same request comes again.

import Type, { type Static } from 'typebox'
import { type App, type Call, Reply } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { Fault } from '../../../kit/fault.ts'
import { compile, nullable, wordOf } from '../../../kit/schema.ts'
import {
  operationState,
  orderedFacts,
  pendingNameservers,
  presentDomain,
  statusOfHolding,
  statusOfOrder,
} from '../holdings/domain-presenter.ts'
import { holdingByName } from '../holdings/holdings.sql.ts'
import { nextActionsIn } from '../holdings/state-model.ts'
import { type DomainStatus, domainStatus } from '../schemas.ts'
import { type OpenOrder, type SaleType, saleTypes } from './handlers/order-handler.ts'
import type { Order } from './order.ts'
import type { HoldingFacts } from './order-batcher.ts'
import { endFault } from './order-faults.ts'
import { orderById, orderTimes } from './orders.sql.ts'
import type { Round } from './purchase.ts'

type Price = NonNullable<DomainStatus['price']>
type Told = { price: Price; now: Date }

/** An answer as it is kept: the domain, or the refusal that ended the order. */
const kept = Type.Object({
  status: nullable(domainStatus),
  refused: nullable(Type.Object({ code: Type.String(), detail: nullable(Type.String()) })),
})
export type KeptAnswer = Static<typeof kept>
export const keptAnswer = compile(kept)

/**
 * The answer to keep for a round, where the round alone tells it: any refusal, and a registration.
 * Null: the rows tell (a holding changed, or somebody else ended the order).
 */
export function answerOfRound(order: OpenOrder, round: Round, told: Told): KeptAnswer | null {
  switch (round.end) {
    case 'succeeded':
    case 'left':
      return order.type === 'register'
        ? { status: statusOfRound(order, round, told), refused: null }
        : null
    case 'failed':
      return { status: null, refused: { code: round.code, detail: round.detail } }
    case 'overtaken':
      return null
  }
}

/** The same from the rows. */
export async function answerOfOrder(app: App, sql: Sql, order: Order): Promise<KeptAnswer> {
  if (order.state === 'failed')
    return {
      status: null,
      refused: { code: order.error_code ?? 'registry_refused', detail: order.error_detail },
    }
  return { status: await statusWithOrder(app, sql, order), refused: null }
}

/** The domain that an order is about: its holding, or the order while there is none. */
export async function statusWithOrder(app: App, sql: Sql, order: Order): Promise<DomainStatus> {
  const holding = await sql.maybe(holdingByName, [order.customer_id, order.domain])
  return holding ? statusOfHolding(holding, order, app.calendar.now()) : statusOfOrder(order)
}

/** A kept answer, once more. A kept refusal is thrown again. */
export function replayed(answer: KeptAnswer, type: string): Reply<DomainStatus> {
  const headers = { 'Idempotent-Replayed': 'true' }
  if (answer.status) return new Reply(answer.status, headers)
  throw refusalOf(answer.refused, { type: wordOf(saleTypes, type), headers })
}

/** An answer for the first time. */
export function firstAnswer(answer: KeptAnswer, type: string): DomainStatus {
  if (answer.status) return answer.status
  throw refusalOf(answer.refused, { type: wordOf(saleTypes, type), headers: {} })
}

function refusalOf(
  refused: KeptAnswer['refused'],
  { type, headers }: { type: SaleType; headers: Record<string, string> },
): Fault {
  const { code, detail } = refused ?? { code: null, detail: null }
  const fault = endFault(type, code)
  const words = detail ? { detail: `${fault.sentence} The registry says: ${detail}` } : {}
  return fault({ ...words, headers, facts: { charged: false } })
}

/** The answer with the times of its order as every later read tells them. */
export async function timed(sql: Sql, order: OrderKey, answer: KeptAnswer): Promise<KeptAnswer> {
  const { status } = answer
  if (!status?.operation) return answer
  const row = await sql.one(orderTimes, [order.id, order.customer_id])
  const created_at = row.created_at.toISOString()
  const updated_at = row.updated_at.toISOString()
  return {
    ...answer,
    status: { ...status, operation: { ...status.operation, created_at, updated_at } },
  }
}
type OrderKey = { id: string; customer_id: string }

/** The order that another request ended, read back. */
export async function readBack(app: App, call: Call, order: OpenOrder): Promise<KeptAnswer> {
  return answerOfOrder(app, call.sql, await call.sql.one(orderById, [order.id, order.customer_id]))
}

function statusOfRound(
  order: OpenOrder,
  round: Extract<Round, { end: 'succeeded' | 'left' }>,
  { price, now }: Told,
): DomainStatus {
  const situation = round.end === 'succeeded' ? 'active' : 'pending'
  return presentDomain(order.domain, {
    ...orderedFacts(order),
    ...(round.end === 'succeeded' ? capturedFacts(round.holding) : {}),
    status: situation,
    operation: {
      id: order.id,
      type: 'register',
      state: operationState(round.end === 'succeeded' ? round.end : round.state),
      error: round.end === 'left' ? { code: round.code, detail: round.detail } : null,
      created_at: order.created_at.toISOString(),
      updated_at: now.toISOString(),
    },
    next_actions: nextActionsIn(situation, { soon: false }),
    price,
  })
}

/** Of the holding that the capture makes. */
function capturedFacts(holding: HoldingFacts) {
  return {
    expiry: holding.expires_at,
    registry_expiry: holding.registry_expiry,
    nameservers: holding.nameservers,
    ...pendingNameservers(holding),
    epp_statuses: holding.epp_statuses ?? [],
    rgp_statuses: holding.rgp_statuses ?? [],
    locked: holding.locked,
  }
}
