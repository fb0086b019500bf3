// Settles what an observation stored and no request has settled: after a crash, without a quote, or
// at the end of the time to pay.
import { type App, job } from '../../../../app.ts'
import { checkoutsToSettle, settleLater } from '../checkouts.sql.ts'
import { settleCheckout } from './settle-checkout.ts'

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
    for (const { id } of due) await settleCheckout(app, id).catch((error) => putOff(app, id, error))
    return { more: due.length === at_once }
  },
})

/** So that one which cannot be settled does not delay the others. */
async function putOff(app: App, id: string, error: unknown): Promise<void> {
  app.log.error({ err: error, checkout_id: id, alarm: 'checkout_not_settled' }, 'not settled')
  const settle_at = new Date(app.clock.now().getTime() + again_ms)
  await app.db.run(settleLater, { ids: [id], settle_at })
}
