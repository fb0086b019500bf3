// Authorizations of payers: stored, sealed, before anything is submitted, each at most once.
import Type from 'typebox'
import type { Authorization } from '../../../adapters/x402/port.ts'
import type { App, Call } from '../../../app.ts'
import type { Row } from '../../../db/statement.ts'
import { newId } from '../../../kit/random.ts'
import { wordOf } from '../../../kit/schema.ts'
import { enqueue, taskKind } from '../../../tasks/index.ts'
import { lockCustomer } from '../../account/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { hexOf, type Offer } from './offers.ts'
import { anyOfCheckout, authorizationOfNonce, insertAuthorization } from './x402.sql.ts'

export const settleTask = taskKind({
  kind: 'settle_x402',
  payload: Type.Object({ authorization_id: Type.String() }),
  backoff: { first_ms: 1_000, longest_ms: 30_000 },
  most_attempts: null,
})

const states = ['stored', 'submitted', 'settled', 'failed', 'expired'] as const

export type StoredAuthorization = ReturnType<typeof storedOf>

export function storedOf(row: Row<'x402_authorizations_by_id'>) {
  const transaction_id = row.transaction_id === null ? null : hexOf(row.transaction_id)
  return { ...row, state: wordOf(states, row.state), transaction_id }
}

/** Undefined if it was sealed with another key, or has ended. */
export function unsealed(
  { encryption }: Pick<App, 'encryption'>,
  stored: StoredAuthorization,
  { terms }: Offer,
): Authorization | undefined {
  const { sealed_signature: sealed } = stored
  const signature = sealed === null ? undefined : encryption.unseal(sealed)
  if (signature === undefined) return undefined
  return {
    payer: hexOf(stored.payer),
    nonce: hexOf(stored.nonce),
    value: terms.units,
    valid_after: Number(stored.valid_after),
    valid_before: Number(stored.valid_before),
    signature: hexOf(signature),
  }
}

type Nonce = Pick<Authorization, 'payer' | 'nonce'>

export async function storedWith(
  { db }: Pick<App, 'db'>,
  { terms }: Offer,
  { payer, nonce }: Nonce,
): Promise<StoredAuthorization | undefined> {
  const { chain_id, token } = terms
  const row = await db.maybe(authorizationOfNonce, {
    ...{ chain_id: BigInt(chain_id), token, payer, nonce },
  })
  return row && storedOf(row)
}

/**
 * Stores it with the task that settles it. Null if it is above the limits, or there is another one
 * of the checkout or of its nonce.
 */
export async function store(
  app: App,
  call: Call,
  { offer, authorization }: { offer: Offer; authorization: Authorization },
): Promise<'stored' | 'taken' | 'limited'> {
  const { checkout_id, customer_id, terms } = offer
  const { payer, nonce, valid_after, valid_before, signature } = authorization
  const id = newId('xau')
  return app.db.transaction(async (sql) => {
    // The lock makes the counts of the next statement exact.
    await lockCustomer(sql, customer_id)
    const stored = await sql.maybe(insertAuthorization, {
      ...{ id, checkout_id, customer_id, chain_id: BigInt(terms.chain_id), token: terms.token },
      ...{ payer, nonce, valid_after: BigInt(valid_after), valid_before: BigInt(valid_before) },
      sealed_signature: app.encryption.seal(signature),
      most: app.settings.x402_most_unsettled,
    })
    if (!stored) {
      const nonces = { chain_id: BigInt(terms.chain_id), token: terms.token, payer, nonce }
      const isTaken = await sql.maybe(anyOfCheckout, { checkout_id, ...nonces })
      return isTaken ? 'taken' : 'limited'
    }
    await enqueue(sql, settleTask, { key: id, payload: { authorization_id: id } })
    const { amount, currency } = offer
    const row = call.auditRow({
      target_type: 'checkout',
      target: checkout_id,
      result: 'pending',
      metadata: { amount_cents: Number(amount), currency, payer },
    })
    await storeAuditRow(sql, row)
    return 'stored'
  })
}
