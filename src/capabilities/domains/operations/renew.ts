// Renews a domain from the balance: POST /v1/domains/{domain}/renew.

import Type from 'typebox'
import { dateTime, withDefault } from '../../../kit/schema.ts'
import * as faults from '../faults.ts'
import { hostOf } from '../names.ts'
import { maxPriceOf } from '../orders/agreement.ts'
import { renewHandler } from '../orders/handlers/renew-order.ts'
import { digestOf, keyOf } from '../orders/idempotency.ts'
import { orderFaults } from '../orders/order-faults.ts'
import { purchase } from '../orders/purchase.ts'
import { domainOperation } from './domain-operation.ts'
import { domainInPath, paidFields } from './paid-request.ts'

const renewAt = 'POST /v1/domains/{domain}/renew'

export const renewDomain = domainOperation({
  name: 'renew_domain',
  does: 'Renew one of your domains, paid from the balance.',
  more:
    'Send expected_expiry (the "expiry" that you read): a renewal sent twice is then refused, ' +
    'not paid twice. Status "pending" or operation.state "unknown" means that the registry has ' +
    'not answered yet: read get_domain, and never renew again.',
  at: renewAt,
  scope: 'domains:purchase',
  takes: Type.Object(
    {
      domain: domainInPath,
      period_years: withDefault(
        Type.Integer({
          minimum: 1,
          maximum: 10,
          description: 'How many years to add and pay for.',
        }),
        1,
      ),
      expected_expiry: Type.Optional(
        dateTime(
          'The "expiry" that you read, to the second; the renewal is refused if it has changed.',
        ),
      ),
      ...paidFields,
    },
    { title: 'DomainRenewalRequest' },
  ),
  in: { idempotency_key: 'header' },
  fails: [
    ...orderFaults('renew'),
    faults.domainNotFound,
    faults.domainNotSupported,
    faults.expiryUnexplained,
    faults.recentlyRenewed,
    faults.termTooLong,
    faults.notRenewable,
    faults.priceUnavailable,
    faults.periodNotAllowed,
  ],
  tools: [
    {
      group: 'registration',
      title: 'Renew a domain',
      examples: [
        {
          domain: 'my-agent.com',
          period_years: 1,
          expected_expiry: '2027-05-01T10:00:00.000Z',
          max_price: '15.00',
          idempotency_key: 'renew-my-agent-2027',
        },
        {
          domain: 'my-agent.com',
          period_years: 1,
          max_price: '15.00',
          idempotency_key: 'renew-my-agent-1',
        },
      ],
      destructive: true,
      idempotent: false,
    },
  ],
  run(input, call, app) {
    const domain = hostOf(input.domain)
    const { period_years, currency, dry_run } = input
    return purchase({
      app,
      call,
      handler: renewHandler,
      request: {
        ...input,
        input,
        customer_id: call.customer_id,
        domain,
        max_price: maxPriceOf(input),
        key: dry_run ? null : keyOf(renewAt, { ...input, domain }),
        digest: digestOf({ type: 'renew', domain, period_years, currency }),
      },
    })
  },
})
