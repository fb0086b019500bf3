// The response of the forecast of renewals.
import { currency, fields, flag, integer, list, moment, money, orNull, text } from '../shape.ts'

export const runway = fields({
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
