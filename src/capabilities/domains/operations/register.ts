// Buys one domain from the balance: POST /v1/domains.

import * as faults from '../faults.ts'
import { nameOf } from '../names.ts'
import { maxPriceOf } from '../orders/agreement.ts'
import { registerHandler } from '../orders/handlers/register-order.ts'
import { digestOf, keyOf } from '../orders/idempotency.ts'
import { orderFaults } from '../orders/order-faults.ts'
import { purchase } from '../orders/purchase.ts'
import { domainOperation } from './domain-operation.ts'
import { registerInput } from './register-input.ts'

const registerAt = 'POST /v1/domains'

export const registerDomain = domainOperation({
  name: 'register_domain',
  does: 'Register a domain, paid from the balance.',
  more:
    'Check the name first. If the status is "pending", the registry has not answered yet: the ' +
    'money is held, and the service completes the order automatically. Read get_domain until ' +
    'operation.state is succeeded or failed, and never buy again. Name servers in ' +
    'pending_nameservers are set automatically, too.',
  at: registerAt,
  scope: 'domains:purchase',
  takes: registerInput,
  in: { idempotency_key: 'header' },
  fails: [
    ...orderFaults('register'),
    faults.domainNotSupported,
    faults.domainAlreadyHeld,
    faults.premiumNotAllowed,
    faults.priceUnavailable,
    faults.periodNotAllowed,
    faults.registrantRequired,
    faults.contactDeleted,
    faults.glueRequired,
  ],
  tools: [
    {
      group: 'registration',
      title: 'Buy a domain',
      examples: [
        { domain: 'my-agent.com', max_price: '15.00', dry_run: true },
        { domain: 'my-agent.com', max_price: '15.00', idempotency_key: 'buy-my-agent-1' },
      ],
      destructive: true,
      idempotent: false,
    },
  ],
  run(input, call, app) {
    const name = nameOf(app, input)
    const { idempotency_key: _key, dry_run, ...facts } = input
    return purchase({
      app,
      call,
      handler: registerHandler,
      request: {
        ...facts,
        input,
        customer_id: call.customer_id,
        domain: name.name,
        name,
        max_price: maxPriceOf(input),
        dry_run,
        key: dry_run ? null : keyOf(registerAt, input),
        digest: digestOf({ type: 'register', ...facts, domain: name.name }),
      },
    })
  },
})
