// Settles observed payments that no request has settled: after a crash, without a quote, or at the
// end of the time to pay.
import { GatewayUnavailable } from '../../../../adapters/gateway/port.ts'
import { type App, job } from '../../../../app.ts'
import { checkoutsToSettle, settleLater } from '../checkouts.sql.ts'
import { settleCheckout } from '../settling/settle-checkout.ts'
import { observeCheckout } from './observe-checkout.ts'

const at_once = 100
const again_ms = 60_000

export const settleCheckouts = job({
  name: 'settle_checkouts',
  does: 'Credits payments of checkouts that were observed, and ends checkouts that expire.',
  every_ms: 15_000,
  async run(app) {
    const due = await app.db.run(checkoutsToSettle, {
      now: app.clock.now(),
      limit: BigInt(at_once),
    })
    // After one reading that failed, the others of the round would only wait for time-outs.
    let isReadable = app.gateway !== null
    for (const { id, ends_unpaid } of due) {
      if (ends_unpaid && isReadable) isReadable = await lookOnceMore(app, id)
      await settleCheckout(app, id).catch((error) => putOff(app, id, error))
    }
    return { more: due.length === at_once }
  },
})

/**
 * A checkout that ends unpaid is searched thoroughly for a payment in another asset. False if the
 * gateway cannot be read, so that the checkout ends without it.
 */
async function lookOnceMore(app: App, id: string): Promise<boolean> {
  try {
    await observeCheckout(app, id)
    return true
  } catch (error) {
    app.log.warn({ err: error, checkout_id: id }, 'checkout not read once more before its end')
    return !(error instanceof GatewayUnavailable)
  }
}

/** Reports the error, so that a checkout which cannot be settled does not delay the others. */
async function putOff(app: App, id: string, error: unknown): Promise<void> {
  app.log.error(
    { err: error, checkout_id: id, alarm: 'checkout_not_settled' },
    'checkout not settled',
  )
  const settle_at = new Date(app.clock.now().getTime() + again_ms)
  await app.db.run(settleLater, { ids: [id], settle_at })
}
