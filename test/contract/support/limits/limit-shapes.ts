// The responses of the forecast of renewals, and of approvals.
import {
  currency,
  fields,
  flag,
  integer,
  list,
  moment,
  money,
  orNull,
  type Schema,
  text,
} from '../shape.ts'
import { approvalShapes } from './approval-examples.ts'
import { quoteShapes } from './quote-examples.ts'

const runway = fields({
  as_of: moment,
  currencies: list(
    fields({
      ...{ currency, available: money, owed: money, due: money, missing: money },
      ...{ domains: integer, unpriced: integer },
    }),
  ),
  ends_first: orNull(fields({ domain: text, currency, lives_until: moment })),
  domains: list(
    fields({
      ...{ domain: text, currency, renewal_price: orNull(money), auto_renew: flag },
      ...{ renewable: flag, expires_at: moment, lives_until: moment },
    }),
  ),
  next_cursor: orNull(text),
})

const summary = fields({
  ...{ as_of: moment, total: integer, auto_renew: integer },
  statuses: list(fields({ status: text, domains: integer })),
  expiries: list(fields({ month: text, domains: integer, auto_renew: integer })),
  first_expiry: orNull(moment),
  tlds: list(fields({ tld: text, domains: integer })),
  other_tlds: integer,
  costs: list(
    fields({
      ...{ currency, domains: integer, due: money, unpriced: integer },
      automatic: fields({ domains: integer, due: money, unpriced: integer }),
    }),
  ),
  attention: fields({
    total: integer,
    domains: list(
      fields({
        ...{ domain: text, domain_unicode: text, reason: text, at: orNull(moment) },
        ...{ requested_by: orNull(text), operation: orNull(text) },
      }),
    ),
  }),
})

export const limitShapes: Record<string, Schema> = {
  ...quoteShapes,
  ...approvalShapes,
  'GET /v1/account/runway': runway,
  'GET /v1/domains/summary': summary,
}
