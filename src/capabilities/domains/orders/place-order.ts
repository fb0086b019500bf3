// The way of every paid request once its price is agreed: place, send, answer; and what came before
// it, for the same request again.
import type { App, Call, Reply } from '../../../app.ts'
import { newId } from '../../../kit/id.ts'
import { type PriceBody, priceBody, type Quote } from '../../pricing/index.ts'
import { contactDeleted } from '../faults.ts'
import type { DomainStatus } from '../schemas.ts'
import { answerOpenOrder } from './duplicate-check.ts'
import type { OpenOrder, Registrar, SaleType } from './handlers/order-handler.ts'
import { saleOf } from './handlers/order-handlers.ts'
import { type Key, keepAnswer } from './idempotency.ts'
import { notPlacedFault } from './order-faults.ts'
import { answerOfRound, firstAnswer, type KeptAnswer, readBack, timed } from './order-response.ts'
import { orderById } from './orders.sql.ts'
import { short } from './price-agreement.ts'
import { type Draft, purchase, type Round } from './purchase.ts'

/** What is to be bought, agreed on. */
export type Buying = {
  type: SaleType
  customer_id: string
  domain: string
  registrar: Registrar
  quote: Quote
  command: object
  digest: string
  key: Key | null
  contacts?: Draft['contacts']
  /** `expiry` of the holding that the price was made for. */
  fence?: Date
  sealed?: string
  /** What this request made before, if somebody came between our look and our hold. */
  again: () => Promise<Reply<DomainStatus> | undefined>
}

export async function buy(
  app: App,
  call: Call,
  buying: Buying,
): Promise<DomainStatus | Reply<DomainStatus>> {
  const { quote, key, registrar, again } = buying
  const price = priceBody(quote)
  let kept: KeptAnswer | null = null
  const purchased = await purchase(app, call, {
    draft: draftOf(app, call, buying),
    registrar,
    answerOf(round, order) {
      kept = answerOfRound(order, round, { price, now: app.clock.now() })
      return key ? kept : null
    },
  })
  if ('order' in purchased) {
    const { order, round } = purchased
    // What is kept for the key and what is answered now are one and the same.
    const answer = kept
      ? await timed(call.sql, order, kept)
      : await answerNow(app, call, { order, round, price })
    // The order of a round that left it open closes in another process: its first answer is this
    // one. One that changed a holding is answered from its rows.
    if (key && !(kept && round.end !== 'left')) await keepAnswer(call, key.key, answer)
    return firstAnswer(answer, buying.type)
  }
  const { placed } = purchased
  // The same key, or the same request, which may have spent what was there.
  const before = await again()
  if (before) return before
  if (placed.outcome === 'insufficient_funds') throw short(quote, placed.available)
  if (placed.outcome === 'contact_deleted') throw contactDeleted()
  // An order that was open then and has ended since.
  const rival = placed.outcome === 'open_order' ? placed.order_id : null
  const own = rival === null ? null : await call.sql.maybe(orderById, [rival, buying.customer_id])
  if (own) return answerOpenOrder(app, call, { ...buying, order: own })
  throw notPlacedFault(buying.type, placed.outcome)()
}

async function answerNow(
  app: App,
  call: Call,
  { order, round, price }: { order: OpenOrder; round: Round; price: PriceBody },
): Promise<KeptAnswer> {
  const answer = await readBack(app, call, order)
  if (round.end === 'overtaken' || !answer.status) return answer
  return { ...answer, status: { ...answer.status, price } }
}

function draftOf(app: App, call: Call, buying: Buying): Draft {
  const { type, customer_id, domain, quote, command, digest, key, fence } = buying
  return {
    id: newId('ord', app.clock.now().getTime()),
    type,
    customer_id,
    domain,
    currency: quote.currency,
    amount: String(quote.amount),
    digest,
    command,
    api_key_id: call.caller.kind === 'api_key' ? String(call.caller.key_id) : null,
    description: saleOf(type).title({ domain, command }),
    idempotency_key: key?.key ?? null,
    idempotency_digest: key?.digest ?? null,
    contacts: buying.contacts ?? {},
    fence: fence?.toISOString() ?? null,
    sealed: buying.sealed ?? null,
  }
}
