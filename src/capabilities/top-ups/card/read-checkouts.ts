// Reads a checkout by card, or lists those of a customer, newest first. An open one is read back at
// the processor, so that a person who comes back from its page sees the credit at once.

import Type from 'typebox'
import { ProcessorUnavailable } from '../../../adapters/processor/port.ts'
import { type App, operation, ownerOf } from '../../../app.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { stringOf } from '../../../kit/schema.ts'
import { byId } from '../../../lists/cursor.ts'
import { pagesOf } from '../../../lists/paging.ts'
import { systemCall } from '../../audit/index.ts'
import {
  type CheckoutRow,
  checkoutOfCustomer,
  checkoutsOfCustomer,
  claimReading,
} from './card.sql.ts'
import { checkoutId, checkoutOf, checkoutResponse } from './card-checkout.ts'
import { checkoutNotFound } from './card-faults.ts'
import { openSession } from './open-checkout.ts'
import { readSession } from './read-session.ts'

/** The processor is not asked more often for one checkout. */
const read_again_ms = 2_000

const customerId = stringOf<CustomerId>({ description: 'The customer.' })

const pages = pagesOf('list_card_checkouts', byId('ctp'))

export const listCardCheckouts = operation({
  name: 'list_card_checkouts',
  does: 'List the checkouts by card, newest first.',
  at: 'GET /v1/customers/{customer_id}/billing/processor/checkouts',
  area: 'Billing',
  who: ownerOf('billing:read'),
  takes: Type.Object({
    customer_id: customerId,
    ...pages.takes,
  }),
  gives: Type.Object(
    {
      checkouts: Type.Array(checkoutResponse),
      ...pages.gives,
    },
    { title: 'ListCardCheckoutsResponse' },
  ),
  fails: [],
  effect: 'none',
  async run(asked, { sql, customer_id }) {
    const { rows, next_cursor } = await pages.read(
      asked,
      ({ after: before, most }) =>
        sql.run(checkoutsOfCustomer, { customer_id, before, limit: BigInt(most) }),
      ({ id }) => id,
    )
    return { checkouts: rows.map(checkoutOf), next_cursor }
  },
})

export const getCardCheckout = operation({
  name: 'get_card_checkout',
  does: 'Read a checkout by card, and credit it if it was paid.',
  more:
    'The processor is asked for an open one, at most every two seconds. While it cannot be read, ' +
    'the answer is the last state known here.',
  at: 'GET /v1/customers/{customer_id}/billing/processor/checkouts/{checkout_id}',
  area: 'Billing',
  who: ownerOf('billing:read'),
  takes: Type.Object({ customer_id: customerId, checkout_id: checkoutId }),
  gives: checkoutResponse,
  fails: [checkoutNotFound],
  effect: 'none',
  async run({ checkout_id: id }, { sql, customer_id }, app) {
    const key = { customer_id, id }
    const row = await sql.maybe(checkoutOfCustomer, key)
    if (!row) throw checkoutNotFound()
    const isRead = await readBack(app, row)
    return checkoutOf(isRead ? ((await sql.maybe(checkoutOfCustomer, key)) ?? row) : row)
  },
})

/** Whether the row may have changed. */
async function readBack(app: App, row: CheckoutRow): Promise<boolean> {
  const { processor } = app
  if (!processor || !['opening', 'open', 'processing'].includes(row.status)) return false
  const claim = { id: row.id, within_ms: read_again_ms }
  if (!(await app.db.maybe(claimReading, claim))) return false
  try {
    if (row.session_id === null) await openSession(app, processor, row)
    else await readSession({ app, call: systemCall(app, 'get_card_checkout') }, row)
    return true
  } catch (error) {
    if (!(error instanceof ProcessorUnavailable)) throw error
    app.log.warn({ err: error, checkout: row.id }, 'card checkout not read from the processor')
    return false
  }
}
