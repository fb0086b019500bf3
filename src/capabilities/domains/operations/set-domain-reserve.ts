// Sets whether renewals of a domain draw on the renewal reserve: POST /v1/domains/{domain}/reserve.

import Type from 'typebox'
import { ownerInPerson } from '../../../app.ts'
import { withDefault } from '../../../kit/schema.ts'
import { sessionRequired } from '../../account/index.ts'
import { domainNotFound } from '../faults.ts'
import { hostOf } from '../names.ts'
import { statusWithOrder } from '../orders/order-presenter.ts'
import { lastOrder } from '../orders/orders.sql.ts'
import { setFromReserve } from '../updates/updates.sql.ts'
import { domainOperation } from './domain-operation.ts'
import { domainInPath } from './paid-request.ts'

export const setDomainReserve = domainOperation({
  name: 'set_domain_reserve',
  does: 'Choose whether renewals of a domain draw on what you keep for renewals.',
  more: 'set_reserve sets the amount. A renewal by a key or an app never draws on it.',
  at: 'POST /v1/domains/{domain}/reserve',
  scope: ownerInPerson(),
  takes: Type.Object({
    domain: domainInPath,
    from_reserve: withDefault(
      Type.Boolean({ description: 'Whether renewals draw on the reserve first.' }),
      true,
    ),
  }),
  fails: [domainNotFound, sessionRequired],
  effect: 'transaction',
  metadataOf: ({ from_reserve }) => ({ from_reserve }),
  async run({ domain, from_reserve }, { sql, customer_id }, app) {
    const name = hostOf(domain)
    const holding = await sql.maybe(setFromReserve, { customer_id, name, from_reserve })
    if (!holding) throw domainNotFound()
    const order = await sql.maybe(lastOrder, { customer_id, domain: name })
    return statusWithOrder(holding, order, app.calendar.now())
  },
})
