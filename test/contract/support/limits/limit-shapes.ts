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

export const limitShapes: Record<string, Schema> = {
  ...quoteShapes,
  ...approvalShapes,
  'GET /v1/account/runway': runway,
}
