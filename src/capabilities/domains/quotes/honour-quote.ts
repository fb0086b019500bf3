// A quote in a purchase: its price is charged while it lasts, or today's where that is lower. The
// service bears a rise, up to QUOTE_LOSS_PERCENT (decision 72).
import { parseAmount } from '../../../kit/money.ts'
import { compile } from '../../../kit/schema.ts'
import { type PriceBody, priceBody, type Quote } from '../../pricing/index.ts'
import * as faults from '../faults.ts'
import type { PurchaseContext, PurchaseRequest } from '../orders/handlers/order-handler.ts'
import { price as priceSchema } from '../schemas.ts'
import { quoteExpired, quoteMismatch, quoteNotFound, quoteUsed } from './quote-faults.ts'
import { quoteById } from './quotes.sql.ts'

const readPrice = compile(priceSchema)

/**
 * Before the registry is asked. Throws 404 quote_not_found, 409 quote_mismatch, quote_used or
 * quote_expired. A request that the owner has approved since goes by the approved price instead.
 */
export async function readQuote<R extends PurchaseRequest, V>(context: PurchaseContext<R, V>) {
  const { app, call, handler, request } = context
  const { quote_id: id, customer_id } = request
  if (id === undefined) return undefined
  const row = await app.db.maybe(quoteById, { id, customer_id })
  // It was there when the owner was asked, and is deleted a day after its end.
  if (!row && call.approval) return undefined
  if (!row) throw quoteNotFound()
  const { type, domain, period_years, currency } = row
  const same =
    type === handler.type &&
    domain === request.domain &&
    period_years === request.period_years &&
    currency === request.currency
  if (!same)
    throw quoteMismatch({ facts: { quote: { action: type, domain, period_years, currency } } })
  if (row.order_id !== null) throw quoteUsed({ facts: { operation_id: row.order_id } })
  if (row.expires_at > app.clock.now()) context.honoured = { id, price: readPrice.parse(row.price) }
  else if (!call.approval)
    throw quoteExpired({ detail: `The quote expired at ${row.expires_at.toISOString()}.` })
  return undefined
}

/**
 * The price to charge, where `current` is that of this moment. Throws 409 price_changed with the
 * current one where the quote is so far below it that it is not borne.
 */
export function chargedPrice<R extends PurchaseRequest, V>(
  { app, honoured }: PurchaseContext<R, V>,
  current: Quote,
): Quote {
  if (!honoured) return current
  const quoted = quotedAs(current, honoured.price)
  if (current.amount <= quoted.amount) return current
  if (current.amount * 100n <= quoted.amount * BigInt(100 + app.settings.quote_loss_percent))
    return quoted
  const price = priceBody(current)
  throw faults.priceChanged({
    detail:
      `The registry now charges so much more that the quote of ${honoured.price.amount} ` +
      `${honoured.price.currency} is not honoured; the price is ${price.amount}.`,
    hint:
      'If "price" is within the limit that your owner gave, send the request again without ' +
      'quote_id and with it as max_price; otherwise ask your owner first.',
    facts: { price },
  })
}

function quotedAs(current: Quote, { amount, renewal_amount, premium, items }: PriceBody): Quote {
  return {
    ...current,
    amount: minorUnits(amount),
    renewal_amount: minorUnits(renewal_amount),
    premium,
    items: items.map((item) => ({ ...item, amount: minorUnits(item.amount) })),
  }
}

function minorUnits(text: string): bigint {
  const amount = parseAmount(text)
  if (amount === undefined) throw new Error(`A stored price is not an amount: ${text}`)
  return amount
}
