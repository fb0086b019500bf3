// Restores a domain from redemption, at the price of a restore: POST /v1/domains/{domain}/restore.

import Type from 'typebox'
import * as faults from '../faults.ts'
import { hostOf } from '../names.ts'
import { maxPriceOf } from '../orders/agreement.ts'
import { restoreHandler } from '../orders/handlers/restore-order.ts'
import { digestOf, keyOf } from '../orders/idempotency.ts'
import { orderFaults } from '../orders/order-faults.ts'
import { purchase } from '../orders/purchase.ts'
import { domainOperation } from './domain-operation.ts'
import { domainInPath, paidFields } from './paid-request.ts'

const restoreAt = 'POST /v1/domains/{domain}/restore'

export const restoreDomain = domainOperation({
  name: 'restore_domain',
  does: 'Restore one of your domains from redemption, paid from the balance.',
  more:
    'It is possible only while the status is "redemption" (usually 30 days). A restore costs ' +
    'more than a renewal: use dry_run to see the price.',
  at: restoreAt,
  scope: 'domains:purchase',
  takes: Type.Object({ domain: domainInPath, ...paidFields }),
  in: { idempotency_key: 'header' },
  fails: [
    ...orderFaults('restore'),
    faults.domainNotFound,
    faults.domainNotSupported,
    faults.notInRedemption,
    faults.priceUnavailable,
  ],
  tools: [
    {
      group: 'registration',
      title: 'Restore a domain',
      examples: [
        { domain: 'my-agent.com', dry_run: true },
        { domain: 'my-agent.com', max_price: '90.00', idempotency_key: 'restore-my-agent-1' },
      ],
      destructive: true,
      idempotent: false,
    },
  ],
  run(input, call, app) {
    const domain = hostOf(input.domain)
    const { currency, dry_run } = input
    return purchase({
      app,
      call,
      handler: restoreHandler,
      request: {
        input,
        customer_id: call.customer_id,
        domain,
        period_years: 1,
        currency,
        max_price: maxPriceOf(input),
        dry_run,
        ...(input.quote_id !== undefined && { quote_id: input.quote_id }),
        key: dry_run ? null : keyOf(restoreAt, { ...input, domain }),
        digest: digestOf({ type: 'restore', domain, currency }),
      },
    })
  },
})
