// Reads the limits of the caller, and for the owner those of all keys and connected apps: GET
// /v1/account/limits.
import Type from 'typebox'
import { operation, owner } from '../../app.ts'
import { type Currency, currencies, formatAmount } from '../../kit/money.ts'
import { amount, oneOf } from '../../kit/schema.ts'
import { readBalance } from '../../ledger/ledger.ts'
import { limitEntry, limitedBy, readCallerLimits } from './caller-limits.ts'
import { limitEntryShape } from './limit-fields.ts'
import { type LimitsRow, limitsOfCustomer } from './limits.sql.ts'

export const limitEntries = Type.Array(limitEntryShape)

export const getLimits = operation({
  name: 'get_limits',
  does:
    'Read the spending limits of your token: the amounts spent and left, and until when they ' +
    'apply.',
  more:
    'All of them apply at once, including inherited ones: a purchase counts against each. ' +
    '"spendable" is the most expensive purchase that the balance and all limits allow now. The ' +
    'owner reads the limits of all keys and connected apps.',
  at: 'GET /v1/account/limits',
  area: 'Account and customers',
  who: owner('account:read'),
  takes: Type.Object({}),
  gives: Type.Object(
    {
      limits: limitEntries,
      spendable: Type.Array(
        Type.Object({
          currency: oneOf(currencies),
          amount: amount('The most that one purchase may cost now.'),
        }),
      ),
    },
    { title: 'AccountLimitsResponse' },
  ),
  fails: [],
  effect: 'none',
  tools: [
    {
      group: 'account',
      title: 'Read your limits',
      examples: [{}],
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  async run(_input, call, app) {
    const by = limitedBy(call.caller)
    const isOwner = by.api_key_id === null && by.oauth_grant_id === null
    const { customer_id } = call
    const rows = isOwner
      ? await call.sql.run(limitsOfCustomer, { customer_id })
      : await readCallerLimits(call.sql, by)
    const { caller } = call
    const mayBuy = 'scopes' in caller && caller.scopes.has('domains:purchase')
    const spendable = await Promise.all(
      currencies.map(async (currency) => {
        const { available } = await readBalance(call.sql, customer_id, currency)
        const most = isOwner ? available : spendableOf(rows, currency, available)
        // A token that cannot buy, and reads no balance elsewhere, does not learn it here.
        return { currency, amount: formatAmount(mayBuy ? most : 0n) }
      }),
    )
    const now = app.clock.now()
    return { limits: rows.map((row) => limitEntry(row, by, now)), spendable }
  },
})

/** Zero in a currency that a limit excludes. */
function spendableOf(rows: readonly LimitsRow[], currency: Currency, available: bigint): bigint {
  let most = available
  for (const { spend_amount, spent, price_amount, ...row } of rows) {
    const bound = [row.spend_currency, row.price_currency, row.approval_currency]
    const others = bound.filter((one) => one !== null)
    if (others.some((other) => other !== currency)) return 0n
    if (spend_amount !== null && spend_amount - spent < most) most = spend_amount - spent
    if (price_amount !== null && price_amount < most) most = price_amount
  }
  return most > 0n ? most : 0n
}
