// Idempotency-Key: the same paid request again gets its first answer (decisions part 4).
import type { App, Call, Reply } from '../../../app.ts'
import { json } from '../../../db/statement.ts'
import { InvalidInput } from '../../../kit/fault.ts'
import { keyInUse } from '../faults.ts'
import type { DomainStatus } from '../schemas.ts'
import { digestOf } from './order.ts'
import { answerOfOrder, type KeptAnswer, keptAnswer, replayed, timed } from './order-response.ts'
import { nameOrder, orderById, orderOfKey, type Standing, storeAnswer } from './orders.sql.ts'

/** A key with the digest of what it stands for: method, path and body. */
export type Key = { key: string; digest: string }

export function keyOf<I extends { idempotency_key?: string }>(at: string, input: I): Key | null {
  const { idempotency_key: key, ...body } = input
  return key === undefined ? null : { key, digest: digestOf({ at, body }) }
}

/**
 * The first answer to this key, if it made an order within 24 hours. 422 when the request is
 * another one; 409 while the first is still running. An order whose process died before it answered
 * is answered from its row.
 */
export async function answerOfKey(
  app: App,
  call: Call,
  { key: { key, digest }, standing }: { key: Key; standing: Standing },
): Promise<Reply<DomainStatus> | undefined> {
  const { key_order, key_type, key_digest, answer: kept, running } = standing
  if (key_order === null || key_type === null) return undefined
  if (key_digest !== digest)
    throw new InvalidInput([
      {
        path: ['idempotency_key'],
        msg: 'This key was used with another request; use a new key',
        type: 'idempotency_key_mismatch',
      },
    ])
  if (kept !== null) {
    const answer = await asAnswered(call, key_order, keptAnswer.parse(kept))
    return replayed(answer, key_type)
  }
  if (running) throw keyInUse({ retry_after_s: 1 })
  const order = await call.sql.one(orderById, [key_order, call.customer_id])
  const answer = await answerOfOrder(app, call.sql, order)
  await keepAnswer(call, key, answer)
  return replayed(answer, order.type)
}

/**
 * An answer that was kept in the transaction that ended its order knows the times of that order
 * from its row alone. One that was kept while the order was open stays as it was.
 */
function asAnswered(call: Call, id: string, kept: KeptAnswer): Promise<KeptAnswer> | KeptAnswer {
  const { customer_id } = call
  const ended = kept.status?.operation?.state === 'succeeded'
  return ended ? timed(call.sql, { id, customer_id }, kept) : kept
}

/**
 * Makes the key stand for an open order that the same request made without one, so that it buys
 * nothing once that has ended. False: another key stands for it.
 */
export async function adopt(call: Call, { key, digest }: Key, orderId: string): Promise<boolean> {
  await call.sql.run(nameOrder, [call.customer_id, key, digest, orderId])
  const known = await call.sql.maybe(orderOfKey, [call.customer_id, key])
  return known?.order_id === orderId && known.key_digest === digest
}

/**
 * Keeps the answer of an order that stays open; one that ends keeps it in the transaction of its
 * end.
 */
export async function keepAnswer(call: Call, key: string, answer: KeptAnswer): Promise<void> {
  await call.sql.run(storeAnswer, [call.customer_id, key, json(answer)])
}
