// The purchase of one automatic renewal, through the same steps as any renewal, without a request.
import type { App, Call } from '../../../app.ts'
import type { Currency } from '../../../kit/money.ts'
import type { LimitedBy } from '../../limits/index.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { renewHandler } from '../orders/handlers/renew-order.ts'
import { digestOf } from '../orders/idempotency.ts'
import { type PurchaseAnswer, purchase } from '../orders/purchase.ts'

type AutomaticRenewal = {
  holding: Holding
  period_years: number
  currency: Currency
  limited_by: LimitedBy
}

/**
 * Renews by the facts of a holding that was just read, without a key. Throws the same faults as the
 * operation.
 */
export function renewHolding(
  app: App,
  call: Call,
  { holding, period_years, currency, limited_by }: AutomaticRenewal,
): Promise<PurchaseAnswer> {
  const { customer_id, name: domain } = holding
  return purchase({
    app,
    call,
    handler: renewHandler,
    request: {
      customer_id,
      domain,
      period_years,
      currency,
      max_price: undefined,
      dry_run: false,
      digest: digestOf({ type: 'renew', domain, period_years, currency }),
      key: null,
      automatic: true,
      limited_by,
      holding,
    },
  })
}
