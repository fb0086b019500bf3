// Balance and transactions of the account, and simulated top-ups in the sandbox.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getBalance, type LedgerTransaction, listTransactions, simulateTopUp } from 'sdk'
import { useAccount } from './account.ts'
import { answerOf } from './api.ts'

export type Currency = LedgerTransaction['currency']
export const currencies: readonly Currency[] = ['USD', 'EUR']

/** Of a URL; USD for anything else. */
export function currencyOf(text: string | null): Currency {
  return currencies.find((one) => one === text) ?? 'USD'
}

export function useBalance(currency: Currency) {
  const { id: customer_id } = useAccount()
  return useQuery({
    queryKey: ['balance', currency],
    queryFn: () => answerOf(getBalance({ path: { customer_id }, query: { currency } })),
  })
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

/** Money has moved: what shows it is read again. */
export function useMoneyMoved() {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      ['balance', 'transactions', 'domains', 'audit-log'].map((key) =>
        queries.invalidateQueries({ queryKey: [key] }),
      ),
    )
}

export function useSimulatedTopUp() {
  const moneyMoved = useMoneyMoved()
  return useMutation({
    mutationFn: (body: { amount_cents: number; currency: Currency }) =>
      answerOf(simulateTopUp({ body })),
    onSuccess: moneyMoved,
  })
}
