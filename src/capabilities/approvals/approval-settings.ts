// Reads and changes the owner's threshold above which an approval needs a fresh log-in: GET and
// PATCH /v1/account/approval-settings. A session that is found open must not be enough to raise it.

import Type, { type Static } from 'typebox'
import { operation, ownerInPerson } from '../../app.ts'
import type { Sql } from '../../db/database.ts'
import { amountOf, currencies, formatAmount } from '../../kit/money.ts'
import type { CustomerId } from '../../kit/random.ts'
import { amount, amountGiven, nullable, oneOf, wordOf } from '../../kit/schema.ts'
import { publicUrls } from '../../origins.ts'
import {
  freshLogInNeeded,
  lockCustomer,
  requireFreshLogIn,
  sessionRequired,
} from '../account/index.ts'
import { customerMail } from '../mail/index.ts'
import {
  type ApprovalRow,
  type FreshLogInRule,
  freshLogInRule,
  putFreshLogInRule,
} from './approvals.sql.ts'
import { settingsChangedEmail } from './emails.ts'

const ruleWords =
  'Approving a request above this amount, or in another currency, needs a log-in within the last ' +
  'ten minutes. The amount is 100.00 USD until the owner sets another. Null means that no amount ' +
  'needs one. A request that costs nothing, such as one for a transfer code, always does.'

const settings = Type.Object(
  {
    fresh_log_in_above: nullable(
      Type.Object(
        {
          amount: amount('The highest amount that can be approved without a fresh log-in.'),
          currency: oneOf(currencies),
        },
        { description: ruleWords },
      ),
    ),
  },
  { title: 'ApprovalSettings' },
)

const common = {
  area: 'Approvals',
  at: '/v1/account/approval-settings',
  who: ownerInPerson(),
  gives: settings,
} as const

export const getApprovalSettings = operation({
  ...common,
  name: 'get_approval_settings',
  does: 'Read the amount above which approving a request needs a fresh log-in.',
  more: 'Only the owner may, in their own session.',
  at: `GET ${common.at}`,
  takes: Type.Object({}),
  fails: [sessionRequired],
  effect: 'none',
  run: async (_input, { sql, customer_id }) =>
    shown(await sql.one(freshLogInRule, { customer_id })),
})

export const updateApprovalSettings = operation({
  ...common,
  name: 'update_approval_settings',
  does: 'Set the amount above which approving a request needs a fresh log-in.',
  more:
    'Only the owner may do this, in their own session. A lower amount is set at once; a higher ' +
    'one, another currency or null needs a log-in within the last ten minutes. The owner gets a ' +
    'mail.',
  at: `PATCH ${common.at}`,
  takes: Type.Object({
    fresh_log_in_above: nullable(
      Type.Object(
        {
          amount: amountGiven({ example: '25.00' }),
          currency: Type.Optional(oneOf(currencies, { default: 'USD' })),
        },
        { additionalProperties: false, description: ruleWords },
      ),
    ),
  }),
  fails: [sessionRequired, freshLogInNeeded],
  effect: 'transaction',
  target: (_input, output) => ({
    target_type: 'customer',
    target: null,
    metadata: output ?? {},
  }),
  async run({ fresh_log_in_above }, call, app) {
    const { sql, customer_id } = call
    const next = readRule(fresh_log_in_above)
    await lockCustomer(sql, customer_id)
    const old = await sql.one(freshLogInRule, { customer_id })
    if (asksLess(old, next)) requireFreshLogIn(app, call)
    if (old.amount !== next.amount || old.currency !== next.currency)
      await change(sql, {
        ...{ customer_id, ...next, updated_at: app.clock.now() },
        dashboard_url: publicUrls(app.settings).dashboard_url,
      })
    return shown(next)
  },
})

type Change = FreshLogInRule & { customer_id: CustomerId; updated_at: Date; dashboard_url: string }

async function change(sql: Sql, { dashboard_url, ...next }: Change): Promise<void> {
  await sql.count(putFreshLogInRule, next)
  const { customer_id, updated_at: at } = next
  const { fresh_log_in_above: above } = shown(next)
  await customerMail(
    sql,
    customer_id,
    settingsChangedEmail({ customer_id, at, above }, dashboard_url),
  )
}

function readRule(given: { amount: string; currency?: string } | null): FreshLogInRule {
  if (given === null) return { amount: null, currency: null }
  return { amount: amountOf(given.amount), currency: given.currency ?? 'USD' }
}

/** Whether some request would need a fresh log-in now, and not after the change. */
function asksLess(old: FreshLogInRule, next: FreshLogInRule): boolean {
  if (old.amount === null) return false
  if (next.amount === null || next.currency !== old.currency) return true
  return next.amount > old.amount
}

/** Whether approving the request needs a fresh log-in. */
export function asksForLogIn(
  rule: FreshLogInRule,
  { amount, currency }: Pick<ApprovalRow, 'amount' | 'currency'>,
): boolean {
  if (amount === null) return true
  if (rule.amount === null) return false
  return currency !== rule.currency || amount > rule.amount
}

function shown({ amount, currency }: FreshLogInRule): Static<typeof settings> {
  if (amount === null || currency === null) return { fresh_log_in_above: null }
  return {
    fresh_log_in_above: {
      amount: formatAmount(amount),
      currency: wordOf(currencies, currency),
    },
  }
}
