// Submits an authorization: by a transaction of the gas wallet, which is stored before it is sent,
// or by a facilitator.
import { GatewayUnavailable } from '../../../adapters/gateway/port.ts'
import type {
  Authorization,
  Facilitator,
  GasTransaction,
  GasWallet,
  Reading,
  X402,
} from '../../../adapters/x402/port.ts'
import type { App } from '../../../app.ts'
import type { Row } from '../../../db/statement.ts'
import type { StoredAuthorization } from './authorizations.ts'
import type { InFlight } from './next-settlement.ts'
import { hexOf, type Offer } from './offers.ts'
import {
  endTransactions,
  highestFeeOfNewestNonce,
  insertTransaction,
  markSubmitted,
  storeHint,
  transactionsOf,
} from './x402.sql.ts'

export type Attempt = {
  x402: X402
  stored: StoredAuthorization
  offer: Offer
  authorization: Authorization
}

/** A facilitator is asked again if the chain does not show the transaction that it reported. */
const facilitator_again_ms = 60_000

/** Reads the chain now. Rejects with GatewayUnavailable. */
export async function readBack(
  app: App,
  { x402, stored, offer, authorization }: Attempt,
): Promise<Reading> {
  const rows = await app.db.run(transactionsOf, { authorization_id: stored.id })
  const hint = stored.hinted_transaction_id
  const known = rows.map(({ transaction_id }) => hexOf(transaction_id))
  const transactions = hint === null ? known : [...known, hexOf(hint)]
  return x402.read(offer.terms, authorization, transactions)
}

/** The wallet's transaction for it that may still be mined. */
export async function inFlight(
  app: App,
  { stored, offer }: Attempt,
  settler: GasWallet,
): Promise<InFlight | null> {
  const rows = await app.db.run(transactionsOf, { authorization_id: stored.id })
  const row = rows.find(({ in_flight }) => in_flight)
  if (!row) return null
  const made = transactionOf(row)
  return {
    made,
    age_ms: app.clock.now().getTime() - row.created_at.getTime(),
    is_spent: await settler.isSpent(offer.terms.chain_id, made.gas_nonce),
  }
}

function transactionOf(row: Row<'x402_transactions_newest'>): GasTransaction {
  return {
    transaction_id: hexOf(row.transaction_id),
    gas_nonce: Number(row.gas_nonce),
    gas: BigInt(row.gas),
    max_fee: BigInt(row.max_fee),
    priority_fee: BigInt(row.priority_fee),
  }
}

type Submission = { settler: GasWallet; replaced: GasTransaction | null }

/**
 * Stores the transaction before it is sent. False if another transaction of the wallet is in
 * flight.
 */
export async function submit(
  app: App,
  { stored, offer, authorization }: Attempt,
  { settler, replaced }: Submission,
): Promise<boolean> {
  const { terms } = offer
  const chain_id = BigInt(terms.chain_id)
  const { address: wallet } = settler
  const newest = await app.db.maybe(highestFeeOfNewestNonce, { chain_id, wallet })
  const outbid = replaced ?? (newest ? transactionOf(newest) : null)
  const made = await settler.prepare(terms, authorization, outbid)
  const isStored = await app.db.transaction(async (sql) => {
    if (replaced) await sql.run(endTransactions, { authorization_id: stored.id })
    if (!(await sql.maybe(markSubmitted, { id: stored.id }))) return false
    const { transaction_id, gas_nonce, gas, max_fee, priority_fee } = made
    const inserted = await sql.maybe(insertTransaction, {
      ...{ transaction_id, authorization_id: stored.id, chain_id, wallet },
      ...{ gas_nonce: BigInt(gas_nonce), gas: String(gas) },
      ...{ max_fee: String(max_fee), priority_fee: String(priority_fee) },
    })
    return inserted !== undefined
  })
  if (!isStored) return false
  app.reached?.('x402_submitted')
  await sent(app, settler.send(terms, authorization, made))
  app.reached?.('x402_sent')
  return true
}

/** A refusal by a node, as known or as spent, proves nothing, so the chain is read in any case. */
export async function sent(app: App, sending: Promise<void>): Promise<void> {
  await sending.catch((error) => {
    if (!(error instanceof GatewayUnavailable)) throw error
    app.log.warn({ reason: error.message }, 'a node refused a transaction of x402')
  })
}

/**
 * Why it refuses, or null if it may have submitted it. Its answer is only a hint, since the chain
 * is read.
 */
export async function askFacilitator(
  app: App,
  attempt: Attempt,
  facilitator: Facilitator,
): Promise<string | null> {
  const { stored, offer, authorization } = attempt
  const { id, submitted_at } = stored
  const asked_ms = submitted_at === null ? null : app.clock.now().getTime() - submitted_at.getTime()
  if (asked_ms !== null && asked_ms < facilitator_again_ms) return null
  if (!(await app.db.maybe(markSubmitted, { id }))) return null
  app.reached?.('x402_submitted')
  const { transaction_id, reason } = await facilitator.settle(offer.terms, authorization)
  app.reached?.('x402_sent')
  if (transaction_id !== null) await app.db.run(storeHint, { id, transaction_id })
  if (reason === null) return null
  const reading = await readBack(app, attempt)
  return reading.state === 'open' ? reason : null
}
