// The receipt of a purchase: its facts from the rows of the order, and the same facts signed.
import Type, { type Static } from 'typebox'
import type { App, Call } from '../../../../app.ts'
import { currencies, formatAmount } from '../../../../kit/money.ts'
import type { DomainName, OrderId } from '../../../../kit/random.ts'
import {
  amount,
  compile,
  dateTime,
  identifier,
  nullable,
  oneOf,
  stringOf,
  wordOf,
} from '../../../../kit/schema.ts'
import { signDocument } from '../../../document-signatures/index.ts'
import { isVisibleDomain } from '../../../limits/index.ts'
import { operationNotFound, receiptUnavailable } from '../../faults.ts'
import { operationTypes } from '../../schemas.ts'
import type { Order } from '../order.ts'
import { orderById } from '../orders.sql.ts'
import { auditRowOfOrder, transfersOfOrder } from './receipts.sql.ts'

const readYears = compile(Type.Object({ period_years: Type.Integer() }))

const auditEntry = Type.Object({
  id: Type.String({
    description: 'The number of the entry, which GET /v1/audit-logs/{id}/proof proves.',
  }),
  row_hash: Type.String({ description: 'SHA-256 of the entry, in hex.' }),
})

export const receiptFacts = Type.Object({
  operation_id: identifier('ord', 'The id of the order.'),
  action: oneOf(operationTypes),
  domain: stringOf<DomainName>(),
  period_years: Type.Integer(),
  currency: oneOf(currencies),
  amount: amount('The amount that was paid.'),
  request_sha256: Type.String({ description: 'SHA-256 of the request with its defaults, in hex.' }),
  quote_id: nullable(identifier('quo', 'The quote that fixed its price.')),
  placed_at: dateTime('When the money was held.'),
  paid_at: dateTime('When it was paid.'),
  transfers: Type.Object(
    { hold: Type.String(), capture: Type.String() },
    { description: 'The ids of its ledger transactions.' },
  ),
  audit: Type.Object(
    { placed: nullable(auditEntry), settled: nullable(auditEntry) },
    { description: 'Its entries in the audit log, or null if they are archived.' },
  ),
})
export type ReceiptFacts = Static<typeof receiptFacts>

/** `jws` is signed anew each time (ES256). */
export type Receipt = { order: Order; facts: ReceiptFacts; jws: string }

/** Reads the receipt of an order. Throws operationNotFound and receiptUnavailable. */
export async function readReceipt(
  app: App,
  { customer_id, caller }: Pick<Call, 'customer_id' | 'caller'>,
  id: OrderId,
): Promise<Receipt> {
  const order = await app.db.maybe(orderById, { id, customer_id })
  if (!order || !isVisibleDomain(caller, order.domain)) throw operationNotFound()
  if (order.state !== 'succeeded' || order.closed_at === null) throw receiptUnavailable()
  const facts = await factsOf(app, order, order.closed_at)
  const jws = await signDocument(app, {
    typ: 'receipt+jwt',
    id,
    customer_id,
    issued_at: order.closed_at,
    expires_at: null,
    facts,
  })
  return { order, facts, jws }
}

async function factsOf(app: App, order: Order, closed_at: Date): Promise<ReceiptFacts> {
  const { id, customer_id, domain } = order
  const transfers = await app.db.run(transfersOfOrder, { order_id: id })
  const transferOf = (phase: string) => {
    const found = transfers.find((one) => one.phase === phase)
    if (!found) throw new Error(`Order ${id} succeeded without a transfer in phase ${phase}`)
    return String(found.id)
  }
  const entryOf = async (result: string, at: Date) => {
    const of = { id, customer_id, domain, result, at }
    const found = await app.db.maybe(auditRowOfOrder, of)
    return found ? { id: String(found.id), row_hash: found.row_hash.toString('hex') } : null
  }
  return {
    operation_id: id,
    action: wordOf(operationTypes, order.type),
    domain,
    period_years: readYears.parse(order.command).period_years,
    currency: wordOf(currencies, order.currency),
    amount: formatAmount(order.amount),
    request_sha256: order.digest,
    quote_id: order.quote_id,
    placed_at: order.created_at.toISOString(),
    paid_at: closed_at.toISOString(),
    transfers: { hold: transferOf('pending'), capture: transferOf('post') },
    audit: {
      placed: await entryOf('pending', order.created_at),
      settled: await entryOf('success', closed_at),
    },
  }
}
