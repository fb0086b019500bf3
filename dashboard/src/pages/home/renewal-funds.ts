// Funds for the automatic renewals that are due soon: balances, prices, and the currency that each
// renewal is paid in, which is that of the last payment for the domain.
import { useQuery } from '@tanstack/react-query'
import type { DomainListEntry, GetBalanceResponse } from 'sdk'
import { useAccount } from '../../lib/account.ts'
import { type Currency, readTransactions, useBalances } from '../../lib/money/balance-queries.ts'
import { readTldPrices } from '../../lib/money/buy-queries.ts'
import { dueSoon, type RenewalFunds } from './needs.ts'

const most_lines = 500

/** Undefined while it is not known, and where no renewal is due. */
export function useRenewalFunds(domains: readonly DomainListEntry[] | undefined) {
  const { id } = useAccount()
  const balances = useBalances().data
  const due = domains ? dueSoon(domains).map(({ domain }) => domain) : []
  return useQuery({
    queryKey: ['balance', 'renewals', balances, due],
    queryFn: () => readFunds(id, balances ?? [], due),
    enabled: balances !== undefined && due.length > 0,
  })
}

async function readFunds(
  customer_id: string,
  balances: readonly GetBalanceResponse[],
  due: readonly string[],
): Promise<RenewalFunds> {
  const used = balances.map(({ currency }) => currency)
  const [first] = used
  const prices = await Promise.all(used.map(readTldPrices))
  // With one balance there is nothing to look up.
  const paid = used.length < 2 ? null : await readLastPayments(customer_id, used, new Set(due))
  return { balances, prices: prices.flat(), currencyOf: (domain) => paid?.get(domain) ?? first }
}

/** By domain, of those in the latest lines of each statement. */
async function readLastPayments(
  customer_id: string,
  used: readonly Currency[],
  due: ReadonlySet<string>,
): Promise<Map<string, Currency>> {
  const pages = await Promise.all(
    used.map((currency) => readTransactions(customer_id, { currency, limit: most_lines }, '')),
  )
  const payments = pages
    .flatMap(({ transactions }) => transactions)
    .filter(({ type, domain }) => type === 'capture' && domain !== null && due.has(domain))
    .toSorted((a, b) => a.created_at.localeCompare(b.created_at))
  return new Map(payments.map(({ domain, currency }) => [domain ?? '', currency]))
}
