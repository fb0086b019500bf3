// Checks at once for payments of one top-up that was reported as paid, or of all that are open.
// Both are hints; the gateway alone decides what was paid.
import Type from 'typebox'
import { GatewayUnavailable } from '../../../../adapters/gateway/port.ts'
import { type App, operation, owner, ownerOf } from '../../../../app.ts'
import { notConfigured } from '../../../../errors/faults.ts'
import { storeAuditRow } from '../../../audit/index.ts'
import { customerId, presentCheckouts, presentOne, topUpId, topUpResponse } from '../checkout.ts'
import * as faults from '../checkout-faults.ts'
import { gatewayOf } from '../checkout-rows.ts'
import { openCheckouts, type TopUpRow } from '../checkouts.sql.ts'
import { checkoutOfCall, fromGateway } from '../start-checkout.ts'
import { observeCheckout } from '../watching/observe-checkout.ts'
import { storeReported } from '../watching/watched.sql.ts'

export const reportTopUp = operation({
  name: 'report_top_up',
  does: 'Report that a top-up was paid, so that it is checked now.',
  more: 'Only what the gateway or the network shows is credited.',
  at: 'POST /v1/customers/{customer_id}/billing/gateway/checkouts/{checkout_id}/report',
  area: 'Billing',
  who: ownerOf('billing:write', { operator: false }),
  takes: Type.Object(
    {
      customer_id: customerId,
      checkout_id: topUpId,
      transaction_id: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The transaction of the payment on its network.',
      }),
    },
    { title: 'ReportRequest' },
  ),
  gives: topUpResponse,
  fails: [notConfigured, faults.topUpNotFound, faults.gatewayUnavailable],
  effect: 'own',
  target: ({ checkout_id, transaction_id }) => ({
    target_type: 'checkout',
    target: checkout_id,
    metadata: { transaction_id },
  }),
  async run({ checkout_id, transaction_id }, call, app) {
    const row = await checkoutOfCall(call, checkout_id)
    gatewayOf(app)
    // The report is kept, since the transaction may not be in a block yet, or not at the endpoint
    // that is read.
    const now = app.clock.now()
    if (/^[!-~]+$/.test(transaction_id))
      await app.db.run(storeReported, { id: row.id, transaction_id, now })
    await fromGateway(observeCheckout(app, row.id))
    const facts = { target_type: 'checkout', target: row.id, status_code: 200 }
    await storeAuditRow(app.db, call.auditRow({ ...facts, metadata: { transaction_id } }))
    return presentOne(call.sql, await checkoutOfCall(call, checkout_id))
  },
})

/**
 * The number that is checked at once. An account has no more open top-ups, unless the setting was
 * lowered.
 */
const most = 100

export const checkPayments = operation({
  name: 'check_payments',
  does: 'Look for payments of one of your top-ups now, or of all that are open.',
  at: 'POST /v1/billing/payments/check',
  area: 'Billing',
  who: owner('billing:write'),
  takes: Type.Object({ checkout_id: Type.Optional(topUpId) }, { title: 'PaymentSyncRequest' }),
  gives: Type.Object(
    {
      checked: Type.Integer({ description: 'The number of top-ups that were checked.' }),
      credited: Type.Integer({ description: 'The number of payments that this call credited.' }),
      checkouts: Type.Array(topUpResponse),
    },
    { title: 'PaymentSyncResponse' },
  ),
  fails: [notConfigured, faults.topUpNotFound, faults.gatewayUnavailable],
  effect: 'own',
  target: ({ checkout_id }) => ({ target_type: 'checkout', target: checkout_id ?? null }),
  async run({ checkout_id }, call, app) {
    gatewayOf(app)
    const { customer_id } = call
    const page = { customer_id, before: 'chk_~', limit: BigInt(most) }
    const rows =
      checkout_id === undefined
        ? await call.sql.run(openCheckouts, page)
        : [await checkoutOfCall(call, checkout_id)]
    const started = rows.filter((row) => row.started_at !== null)
    const credited = await fromGateway(lookAtAll(app, started))
    const facts = { target_type: 'checkout', target: checkout_id ?? null, status_code: 200 }
    const metadata = { checked: started.length, credited }
    await storeAuditRow(app.db, call.auditRow({ ...facts, metadata }))
    const after = await Promise.all(started.map(({ id }) => checkoutOfCall(call, id)))
    const checkouts = await presentCheckouts(call.sql, after)
    return { checked: started.length, credited, checkouts }
  },
})

/** All are checked, even if some cannot be read; then it rejects. */
async function lookAtAll(app: App, rows: readonly TopUpRow[]): Promise<number> {
  const looked = await Promise.allSettled(rows.map(({ id }) => observeCheckout(app, id)))
  const failed = looked.filter((one) => one.status === 'rejected')
  for (const { reason } of failed) if (!(reason instanceof GatewayUnavailable)) throw reason
  const [first] = failed
  if (first) throw first.reason
  return looked.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0)
}
