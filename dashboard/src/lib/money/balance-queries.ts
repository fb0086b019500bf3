// Balances and transactions of the account, and simulated top-ups in the sandbox.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  getBalance,
  type LedgerTransaction,
  listTransactions,
  setReserve,
  simulateTopUp,
} from 'sdk'
import { useAccount } from '../account.ts'
import { answerOf } from '../api.ts'
import { isZero } from './amounts.ts'

export type Currency = LedgerTransaction['currency']
export const currencies: readonly Currency[] = ['USD', 'EUR']

const first_currency = 'USD' satisfies Currency

function readBalance(customer_id: string, currency: Currency) {
  return answerOf(getBalance({ path: { customer_id }, query: { currency } }))
}

export function useBalance(currency: Currency) {
  const { id } = useAccount()
  return useQuery({
    queryKey: ['balance', currency],
    queryFn: () => readBalance(id, currency),
  })
}

/**
 * The balance in each currency that the account has money in, or in the first currency if it has
 * none.
 */
export function useBalances() {
  const { id } = useAccount()
  return useQuery({
    queryKey: ['balance', 'all'],
    queryFn: async () => {
      const all = await Promise.all(currencies.map((currency) => readBalance(id, currency)))
      const used = all.filter(({ total }) => !isZero(total))
      return used.length > 0 ? used : all.slice(0, 1)
    },
  })
}

/**
 * The currency that is asked for, else one that the account has money in; undefined until it is
 * known.
 */
export function useCurrency(asked: string | null): Currency | undefined {
  const { data, isError } = useBalances()
  const known = currencies.find((one) => one === asked)
  return known ?? data?.[0]?.currency ?? (isError ? first_currency : undefined)
}

type Statement = { currency: Currency; limit: number }

/** Pages of the statement, newest first. */
export function useTransactions({ currency, limit }: Statement) {
  const { id: customer_id } = useAccount()
  return useInfiniteQuery({
    queryKey: ['transactions', currency, limit],
    queryFn: ({ pageParam }) => readTransactions(customer_id, { currency, limit }, pageParam),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

function readTransactions(customer_id: string, { currency, limit }: Statement, cursor: string) {
  const query = { currency, limit, ...(cursor !== '' && { cursor }) }
  return answerOf(listTransactions({ path: { customer_id }, query }))
}

/** The whole statement, for a file. */
export async function readStatement(customer_id: string, currency: Currency) {
  const lines: LedgerTransaction[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await readTransactions(customer_id, { currency, limit: 500 }, cursor)
    lines.push(...page.transactions)
    cursor = page.next_cursor
  }
  return lines
}

/** Returns a function to call when money has moved, which reads again the queries that show it. */
export function useMoneyMoved() {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      ['balance', 'transactions', 'invoices', 'domains', 'audit-log'].map((key) =>
        queries.invalidateQueries({ queryKey: [key] }),
      ),
    )
}

/** Sets the amount that is kept for renewals. */
export function useNewReserve() {
  const moneyMoved = useMoneyMoved()
  return async (body: { amount: string; currency: Currency }) => {
    const kept = await answerOf(setReserve({ body }))
    await moneyMoved()
    return kept
  }
}

export function useSimulatedTopUp() {
  const moneyMoved = useMoneyMoved()
  return useMutation({
    mutationFn: (body: { amount_cents: number; currency: Currency }) =>
      answerOf(simulateTopUp({ body })),
    onSuccess: moneyMoved,
  })
}
