// Posts a correction exactly once: its row with the reason and its transfer, in the caller's
// transaction.

import Type from 'typebox'
import type { Sql } from '../../../db/database.ts'
import { fault } from '../../../kit/fault.ts'
import { type Currency, currencies } from '../../../kit/money.ts'
import type { CustomerId, OrderId, TransferId } from '../../../kit/random.ts'
import { amount, oneOf, patterned, stringOf } from '../../../kit/schema.ts'
import { correctionOfId, lockCorrection, postCorrection } from './corrections.sql.ts'

export const correctionConflict = fault('adjustment_conflict', 'conflict', {
  sentence: 'An adjustment or refund with this id was already posted with different details.',
  hint: 'Compare customer, amount and currency, or choose another id; nothing was posted now.',
})

type Correction = {
  /** Unique among adjustments and refunds. */
  id: string
  kind: 'adjustment' | 'refund'
  customer_id: CustomerId
  currency: Currency
  /** Minor units; below zero it takes from the balance. */
  amount: bigint
  operation_id: OrderId | null
  reason: string
}

/** Callers choose the id of a correction, so that a repeated call posts it once. */
export const correctionId = patterned('^[A-Za-z0-9._-]+$', 'letters, digits and any of "._-"', {
  minLength: 1,
  maxLength: 100,
  description: 'Your own id for it, so that a repeated call posts it only once.',
})
export const reasonField = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "The reason, which is shown on the customer's statement and in the audit log.",
})
export const correctionFields = {
  customer_id: stringOf<CustomerId>(),
  currency: oneOf(currencies),
  amount: amount('The amount that was added; below zero it was taken.'),
  posted: Type.Boolean({ description: 'False if it was already posted, with the same details.' }),
  ledger_transaction_id: Type.Integer(),
  available: amount('The balance that can be spent now.'),
}

/** Until the transaction ends no other call corrects by this id, or refunds this order. */
export async function lockCorrections(
  sql: Sql,
  { id, operation_id }: { id: string; operation_id?: OrderId },
): Promise<void> {
  const order = operation_id === undefined ? [] : [`order-refunds/${operation_id}`]
  await sql.run(lockCorrection, { keys: [`adjustment/${id}`, ...order] })
}

/** Undefined if no correction has this id. Throws correctionConflict for one with other facts. */
export async function earlierCorrection(
  sql: Sql,
  wanted: Correction,
): Promise<{ transfer_id: TransferId } | undefined> {
  const earlier = await sql.maybe(correctionOfId, { id: wanted.id })
  if (!earlier) return undefined
  const fields = ['kind', 'customer_id', 'currency', 'amount', 'operation_id'] as const
  if (fields.some((field) => earlier[field] !== wanted[field])) throw correctionConflict()
  return { transfer_id: earlier.transfer_id }
}

/** Call it under the lock of its id. */
export async function postNewCorrection(sql: Sql, wanted: Correction): Promise<bigint> {
  return (await sql.one(postCorrection, wanted)).transfer_id
}
