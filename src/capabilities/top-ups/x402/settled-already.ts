// Authorizations that have paid their checkout before this service knew of them, or while it could
// not see so: either another party submitted them, or a node left out their logs.
import type { Payment } from '../../../adapters/x402/payment-headers.ts'
import { authorizationFor } from '../../../adapters/x402/payment-headers.ts'
import type { App } from '../../../app.ts'
import { take } from '../../../rate-limits/leaky-buckets.ts'
import * as checkoutFaults from '../gateway/checkout-faults.ts'
import { paymentsOfCheckouts } from '../gateway/checkout-payments.sql.ts'
import { paymentOf } from '../gateway/checkout-rows.ts'
import { fromGateway } from '../gateway/start-checkout.ts'
import { observeCheckout } from '../gateway/watching/observe-checkout.ts'
import { storeReported } from '../gateway/watching/watched.sql.ts'
import type { StoredAuthorization } from './authorizations.ts'
import { hexOf, type Offer, x402Of } from './offers.ts'

export type Settlement = Pick<
  StoredAuthorization,
  'checkout_id' | 'payer' | 'transaction_id' | 'state' | 'reason'
>

/** Each request asks the chain several times, whether it is valid or not. */
export async function limitVerifications(app: App, { customer_id }: Offer): Promise<void> {
  const wait_s = await take(app.db, [
    { key: `x402:${customer_id}`, most: 20, drain_s: 6 },
    { key: 'x402', most: 300, drain_s: 1 },
  ])
  if (wait_s > 0) throw checkoutFaults.startsLimited({ retry_after_s: wait_s })
}

type Asked = { offer: Offer; payment: Payment; hints: readonly string[] }

/**
 * Decides by the contract, which knows the payer's nonce, and by the transfer to the checkout's
 * address; or by a payment of the checkout, if the nonce is used and its transaction is not found.
 * Null if it has not paid. The checkout is observed, since the transfer counts once it is observed.
 */
export async function settledAlready(
  app: App,
  { offer, payment, hints }: Asked,
): Promise<Settlement | null> {
  const { terms, checkout_id } = offer
  const authorization = authorizationFor(payment, terms, null)
  if (typeof authorization === 'string') return null
  await limitVerifications(app, offer)
  const transactions = hints.map(hexOf)
  const reading = await fromGateway(x402Of(app).read(terms, authorization, transactions))
  if (reading.state !== 'settled' && reading.state !== 'used') return null
  const known = { checkout_id, payer: authorization.payer, reason: null }
  if (reading.state === 'settled') {
    const { transaction_id, is_final } = reading
    const now = app.clock.now()
    await app.db.run(storeReported, { id: checkout_id, transaction_id, now })
    await fromGateway(observeCheckout(app, checkout_id))
    return { ...known, transaction_id, state: is_final ? 'settled' : 'submitted' }
  }
  await fromGateway(observeCheckout(app, checkout_id))
  const rows = await app.db.run(paymentsOfCheckouts, { checkout_ids: [checkout_id] })
  const paid = rows.map(paymentOf).find(({ state, asset, network, amount }) => {
    const isOffered = asset === offer.asset && network === offer.network
    return state !== 'orphaned' && isOffered && amount === terms.units
  })
  if (!paid) return null
  const state = paid.state === 'confirmed' ? 'settled' : 'submitted'
  return { ...known, transaction_id: hexOf(paid.transaction_id), state }
}
