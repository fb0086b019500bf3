// 402 insufficient_funds: the figures that the owner needs, and the ways to add money.
import type { Call } from '../../../app.ts'
import { type Currency, currencies, formatAmount } from '../../../kit/money.ts'
import { readBalance, readDebts } from '../../../ledger/ledger.ts'
import { priceBody, type Quote } from '../../pricing/index.ts'
import * as faults from '../faults.ts'

type Buyer = Pick<Call, 'sql' | 'customer_id' | 'caller'>
type Missing = { currency: Currency; amount: bigint }

/** The fault, with the other balances, because money of one currency does not pay in another. */
export async function insufficientFundsFor(buyer: Buyer, quote: Quote, available: bigint) {
  const { sql, customer_id } = buyer
  const price = priceBody(quote)
  const other_balances: { currency: Currency; available: string }[] = []
  for (const currency of currencies.filter((one) => one !== quote.currency)) {
    const balance = await readBalance(sql, customer_id, currency)
    if (balance.available > 0n)
      other_balances.push({ currency, available: formatAmount(balance.available) })
  }
  const debts = await readDebts(sql, customer_id)
  const missing = missingMoney(quote, available, debts)
  const shortfall = missing.find(({ currency }) => currency === quote.currency)?.amount ?? 0n
  const others = other_balances.map((one) => `${one.available} ${one.currency}`).join(' and ')
  return faults.insufficientFunds({
    ...nextStep(buyer, missing),
    detail:
      `The price is ${price.amount} ${price.currency}, the balance ${formatAmount(available)}.` +
      (debts.length > 0
        ? ` A payment was reversed, and ${debts.map(formatMoney).join(' and ')} of it had been ` +
          'spent: nothing is bought until that is paid.'
        : others && ` The account also has ${others}: "currency" chooses the balance that pays.`),
    facts: {
      price,
      balance: formatAmount(available),
      shortfall: formatAmount(shortfall),
      currency: price.currency,
      other_balances,
      missing: missing.map(({ currency, amount }) => {
        return { currency, amount: formatAmount(amount), amount_cents: Number(amount) }
      }),
      ...(debts.length > 0 && {
        owed: debts.map((one) => ({ currency: one.currency, amount: formatAmount(one.owed) })),
      }),
      ...(!mayTopUp(buyer) && { required_scope: 'billing:write' }),
    },
  })
}

/** The missing amounts by currency, that of the price first: its shortfall, and other debts. */
function missingMoney(
  { currency: paying, amount }: Quote,
  available: bigint,
  debts: readonly { currency: string; owed: bigint }[],
): Missing[] {
  const sorted = currencies.toSorted((a, b) => Number(b === paying) - Number(a === paying))
  return sorted
    .map((currency) => {
      const owed = debts.find((debt) => debt.currency === currency)?.owed ?? 0n
      return { currency, amount: currency === paying ? amount - available + owed : owed }
    })
    .filter((one) => one.amount > 0n)
}

/** Whether the caller may top up. A job has no token, and the owner reads its refusal. */
function mayTopUp({ caller }: Pick<Call, 'caller'>): boolean {
  return 'scopes' in caller ? caller.scopes.has('billing:write') : true
}

function nextStep(buyer: Buyer, [first]: Missing[]): { page?: string; hint?: string } {
  if (!first) return {}
  const page = `/billing/top-up?currency=${first.currency}&shortfall=${formatAmount(first.amount)}`
  if (mayTopUp(buyer)) return { page }
  return {
    page,
    hint:
      'Ask the owner to add at least "missing" at "url"; nothing was sent to the registry. This ' +
      'token lacks the scope billing:write: with it, create_top_up starts a payment.',
  }
}

function formatMoney({ currency, owed }: { currency: string; owed: bigint }): string {
  return `${formatAmount(owed)} ${currency}`
}

/** Throws, for a dry run, if the balance does not cover the price at this moment. */
export async function refuseInsufficientBalance(
  call: Call,
  quote: Quote,
  { from_reserve }: { from_reserve: boolean },
): Promise<void> {
  const balance = await readBalance(call.sql, call.customer_id, quote.currency)
  const available = balance.available + (from_reserve ? balance.reserved : 0n)
  const debts = await readDebts(call.sql, call.customer_id)
  if (available < quote.amount || debts.length > 0)
    throw await insufficientFundsFor(call, quote, available)
}
