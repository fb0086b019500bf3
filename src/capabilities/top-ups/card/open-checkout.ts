// Opens a checkout at the card processor: first the row, then the session, by the row's id as its
// idempotency key, so that a repeated attempt finds the same session.
import Type from 'typebox'
import { type CardProcessor, ProcessorUnavailable } from '../../../adapters/processor/port.ts'
import { type App, type Call, operation, ownerOf } from '../../../app.ts'
import { notConfigured } from '../../../errors/faults.ts'
import { InvalidInput } from '../../../kit/fault.ts'
import { type Currency, currencies, formatAmount } from '../../../kit/money.ts'
import { type CustomerId, newId } from '../../../kit/random.ts'
import { oneOf, stringOf, withDefault, wordOf } from '../../../kit/schema.ts'
import { publicUrls } from '../../../origins.ts'
import { enqueue } from '../../../tasks/index.ts'
import { lockCustomer } from '../../account/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import {
  type CheckoutRow,
  checkoutOfId,
  countOpenCheckouts,
  insertCheckout,
  putSession,
} from './card.sql.ts'
import { checkoutOf, checkoutResponse } from './card-checkout.ts'
import { processorUnavailable, tooManyCheckouts } from './card-faults.ts'
import { readCardCheckout } from './checkout-tasks.ts'

/** The processor accepts half an hour to a day. */
const payable_ms = 3_600_000
const most_open = 20n

export const createCardCheckout = operation({
  name: 'create_card_checkout',
  does: 'Open a page on which a person tops up the balance by card.',
  more:
    'An agent hands "url" to its owner, who pays on the page of the processor, and reads the ' +
    'checkout until its status is "paid", when the balance has the money. Nothing is charged by ' +
    'this call.',
  at: 'POST /v1/customers/{customer_id}/billing/processor/checkouts',
  area: 'Billing',
  who: ownerOf('billing:write', { operator: false }),
  status: 201,
  takes: Type.Object({
    customer_id: stringOf<CustomerId>({ description: 'The customer.' }),
    amount_cents: Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      examples: [2_500],
      description: 'The amount in minor units: 2500 is 25.00.',
    }),
    currency: withDefault(
      oneOf(currencies, { description: 'The currency of the balance.' }),
      'USD',
    ),
  }),
  gives: checkoutResponse,
  fails: [notConfigured, tooManyCheckouts, processorUnavailable],
  effect: 'own',
  target: ({ amount_cents, currency }, output) => ({
    target_type: 'card_checkout',
    target: output?.id ?? null,
    metadata: { amount_cents, currency },
  }),
  async run({ amount_cents, currency }, call, app) {
    const { processor } = app
    if (!processor) throw notConfigured()
    const amount = BigInt(amount_cents)
    requireWithinLimits(processor, amount, currency)
    const row = await store(app, call, { amount_cents: amount, currency })
    app.reached?.('card_checkout_stored')
    try {
      return checkoutOf(await openSession(app, processor, row))
    } catch (error) {
      if (!(error instanceof ProcessorUnavailable)) throw error
      throw processorUnavailable({ retry_after_s: 5, facts: { checkout_id: row.id }, cause: error })
    }
  },
})

function requireWithinLimits(processor: CardProcessor, amount: bigint, currency: Currency): void {
  const { least_cents, most_cents } = processor
  if (amount >= least_cents && amount <= most_cents) return
  const limits = `${formatAmount(least_cents)} to ${formatAmount(most_cents)} ${currency}`
  const msg = `A payment by card is from ${limits}`
  throw new InvalidInput([{ path: ['amount_cents'], msg, type: 'value_error' }])
}

type Asked = { amount_cents: bigint; currency: Currency }

/** The lock of the customer makes the number of open ones exact. */
async function store(app: App, call: Call, asked: Asked): Promise<CheckoutRow> {
  const { customer_id } = call
  const created_at = app.clock.now()
  const id = newId('ctp')
  return app.db.transaction(async (sql) => {
    await lockCustomer(sql, customer_id)
    const { open } = await sql.one(countOpenCheckouts, { customer_id })
    if (open >= most_open) throw tooManyCheckouts()
    const row = await sql.one(insertCheckout, {
      id,
      customer_id,
      ...asked,
      return_url: `${publicUrls(app.settings).dashboard_url}/billing/top-up?checkout=${id}`,
      expires_at: new Date(created_at.getTime() + payable_ms),
      created_at,
    })
    const run_at = new Date(created_at.getTime() + app.settings.card_checkout_read_seconds * 1_000)
    await enqueue(sql, readCardCheckout, { key: id, payload: { checkout_id: id }, run_at })
    const metadata = { amount_cents: asked.amount_cents, currency: asked.currency }
    const facts = { target_type: 'card_checkout', target: id, customer_id, metadata }
    await storeAuditRow(sql, call.auditRow({ ...facts, status_code: 201 }))
    return row
  })
}

/**
 * Opens the session of a row that has none yet. Rejects with ProcessorUnavailable; the row stays,
 * and the next attempt gets the same session.
 */
export async function openSession(
  app: App,
  processor: CardProcessor,
  row: CheckoutRow,
): Promise<CheckoutRow> {
  const { id, customer_id, amount_cents, return_url, expires_at } = row
  const session = await processor.openSession({
    idempotency_key: id,
    customer_id,
    checkout_id: id,
    amount_cents,
    currency: wordOf(currencies, row.currency),
    description: 'Top-up of your balance',
    success_url: return_url,
    cancel_url: `${return_url}&cancelled`,
    expires_at,
  })
  app.reached?.('card_session_opened')
  const facts = { id, session_id: session.id, session_url: session.url }
  return (await app.db.maybe(putSession, facts)) ?? (await app.db.one(checkoutOfId, { id }))
}
