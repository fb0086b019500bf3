// Reads checkouts: the way to pay, a list, and the progress of one.

import Type from 'typebox'
import { operation, ownerOf } from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import { notConfigured } from '../../../../errors/faults.ts'
import { currencies } from '../../../../kit/money.ts'
import type { CustomerId } from '../../../../kit/random.ts'
import { oneOf, withDefault } from '../../../../kit/schema.ts'
import { byId } from '../../../../lists/cursor.ts'
import { pagesOf } from '../../../../lists/paging.ts'
import { customerId, presentCheckouts, presentOne, topUpId, topUpResponse } from '../checkout.ts'
import * as faults from '../checkout-faults.ts'
import { gatewayOf } from '../checkout-rows.ts'
import {
  checkoutsOfStatus,
  openCheckouts,
  type TopUpRow,
  topUpsOfCustomer,
} from '../checkouts.sql.ts'
import { statuses } from '../settling/next-step.ts'
import { checkoutOfCall, fromGateway } from '../start-checkout.ts'
import { offeredAsset, presentAsset } from './start-top-up.ts'

const hints = { group: 'account', destructive: false, idempotent: true, open_world: false } as const

export const getTopUpConfig = operation({
  name: 'get_top_up_config',
  does: 'Read how a balance can be topped up in a cryptocurrency.',
  at: 'GET /v1/customers/{customer_id}/billing/gateway/config',
  area: 'Billing',
  who: ownerOf('billing:read'),
  takes: Type.Object({ customer_id: customerId }),
  gives: Type.Object(
    {
      gateway: Type.String({ description: 'The gateway: evm or btcpay.' }),
      is_sandbox: Type.Boolean({
        description: 'Whether the money is simulated, so that nothing real can be paid.',
      }),
      currencies: Type.Array(oneOf(currencies)),
      assets: Type.Array(offeredAsset),
      least_amount_cents: Type.Integer(),
      most_amount_cents: Type.Integer(),
      minutes_to_pay: Type.Integer({ description: 'The number of minutes that the quote holds.' }),
      watch_days: Type.Integer({
        description: 'The number of days in which a late payment is still found.',
      }),
      x402: Type.Boolean({ description: 'Whether top-ups may be paid by x402, too.' }),
      most_open: Type.Integer({ description: 'The number of top-ups that may be open at once.' }),
    },
    { title: 'GatewayConfig' },
  ),
  fails: [notConfigured, faults.gatewayUnavailable],
  effect: 'none',
  async run(_input, _call, app) {
    const gateway = gatewayOf(app)
    const { settings } = app
    return {
      gateway: gateway.name,
      is_sandbox: settings.environment === 'sandbox' && settings.gateway === null,
      currencies: [...currencies],
      assets: (await fromGateway(gateway.assets())).map(presentAsset),
      least_amount_cents: settings.checkout_least_cents,
      most_amount_cents: settings.checkout_most_cents,
      minutes_to_pay: settings.checkout_minutes,
      watch_days: settings.checkout_watch_days,
      x402: app.x402 !== null,
      most_open: settings.checkouts_open,
    }
  },
})

const listed = ['open', 'all', ...statuses] as const

const pages = pagesOf('list_top_ups', byId('chk'))

export const listTopUps = operation({
  name: 'list_top_ups',
  does: 'List the top-ups in cryptocurrencies that may still be paid, newest first.',
  at: 'GET /v1/customers/{customer_id}/billing/gateway/checkouts',
  area: 'Billing',
  who: ownerOf('billing:read'),
  takes: Type.Object({
    customer_id: customerId,
    status: withDefault(
      oneOf(listed, {
        description:
          'Whether to list the open ones (created, awaiting_payment or confirming) or all.',
      }),
      'open',
    ),
    ...pages.takes,
  }),
  gives: Type.Object(
    {
      checkouts: Type.Array(topUpResponse),
      ...pages.gives,
    },
    { title: 'ListCheckoutsResponse' },
  ),
  fails: [],
  effect: 'none',
  tools: [{ ...hints, title: 'List top-ups', examples: [{ status: 'all', limit: 5 }] }],
  async run({ status, ...asked }, { sql, customer_id }) {
    const { rows, next_cursor } = await pages.read(
      asked,
      ({ after, most }) => {
        // Above every id, which is of lower letters and digits.
        const before = after ?? 'chk_~'
        return rowsOf(sql, status, { customer_id, before, limit: BigInt(most) })
      },
      ({ id }) => id,
    )
    return { checkouts: await presentCheckouts(sql, rows), next_cursor }
  },
})

type Page = { customer_id: CustomerId; before: string; limit: bigint }

async function rowsOf(sql: Sql, status: (typeof listed)[number], page: Page): Promise<TopUpRow[]> {
  if (status === 'open') return sql.run(openCheckouts, page)
  if (status === 'all') return sql.run(topUpsOfCustomer, page)
  return sql.run(checkoutsOfStatus, { ...page, status })
}

export const getTopUp = operation({
  name: 'get_top_up',
  does: 'Read a top-up: the amount to pay, the amount received, and the amount credited.',
  at: 'GET /v1/customers/{customer_id}/billing/gateway/checkouts/{checkout_id}',
  area: 'Billing',
  who: ownerOf('billing:read'),
  takes: Type.Object({ customer_id: customerId, checkout_id: topUpId }),
  gives: topUpResponse,
  fails: [faults.topUpNotFound],
  effect: 'none',
  tools: [
    {
      ...hints,
      title: 'Read a top-up',
      examples: [{ checkout_id: 'chk_06f9q0s3k4r5t6v7w8x9y0z1a2' }],
    },
  ],
  run: async ({ checkout_id }, call) =>
    presentOne(call.sql, await checkoutOfCall(call, checkout_id)),
})
