// Parked checkouts by card, for operators: those with an implausible answer of the processor.
import Type from 'typebox'
import { operation, operatorOnly } from '../../../app.ts'
import { fault } from '../../../kit/fault.ts'
import { nullable } from '../../../kit/schema.ts'
import { byId } from '../../../lists/cursor.ts'
import { workList } from '../../../lists/work-list.ts'
import { checkoutOfId, dismissCheckout, parkedCheckouts } from './card.sql.ts'
import { checkoutId, checkoutOf, checkoutResponse } from './card-checkout.ts'

const notParked = fault('card_checkout_not_parked', 'conflict', {
  sentence: 'This checkout is not parked.',
  hint: 'Read the list of parked card checkouts; nothing was changed.',
})
const absent = fault('parked_card_checkout_not_found', 'absent', {
  sentence: 'There is no checkout by card with this id.',
  hint: 'Take the id from the list of parked card checkouts.',
})

const parkedCheckout = Type.Object(
  {
    ...checkoutResponse.properties,
    session_id: nullable(Type.String({ description: "The processor's checkout session." })),
    reason: Type.String({
      description: 'The details of the session that differ from the checkout.',
    }),
  },
  { title: 'ParkedCardCheckout' },
)

export const listParkedCardCheckouts = workList({
  name: 'list_parked_card_checkouts',
  does: 'List the checkouts by card that wait for an operator.',
  more:
    'Their sessions show an amount, currency or payment other than the requested one, and ' +
    'nothing is credited. Look at the session at the processor; refund it there and dismiss the ' +
    'checkout, or credit it by the route of card top-ups.',
  at: 'GET /v1/internal/billing/parked-card-checkouts',
  area: 'Billing',
  entries: 'checkouts',
  entry: parkedCheckout,
  title: 'ParkedCardCheckoutsResponse',
  by: byId('ctp'),
  read: ({ after, most }, { sql }) =>
    sql.run(parkedCheckouts, { after: after ?? '', limit: BigInt(most) }),
  keyOf: ({ id }) => id,
  present: (rows) =>
    rows.map((row) => ({
      ...checkoutOf(row),
      session_id: row.session_id,
      reason: row.parked_reason,
    })),
})

export const dismissParkedCardCheckout = operation({
  name: 'dismiss_parked_card_checkout',
  does:
    'Dismiss a parked card checkout: it is never credited, for example because it was ' +
    'refunded.',
  at: 'POST /v1/internal/billing/parked-card-checkouts/{checkout_id}/dismiss',
  area: 'Billing',
  who: operatorOnly(),
  takes: Type.Object({
    checkout_id: checkoutId,
    reason: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The reason, for the audit log.',
    }),
  }),
  gives: checkoutResponse,
  fails: [notParked, absent],
  effect: 'transaction',
  target: ({ checkout_id, reason }, output) => ({
    target_type: 'checkout',
    target: checkout_id,
    ...(output ? { customer_id: output.customer_id } : {}),
    metadata: { reason },
  }),
  async run({ checkout_id: id }, call) {
    const dismissed = await call.sql.maybe(dismissCheckout, { id })
    if (dismissed) return checkoutOf(dismissed)
    throw (await call.sql.maybe(checkoutOfId, { id })) ? notParked() : absent()
  },
})
