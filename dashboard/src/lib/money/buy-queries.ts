// Availability, quotes and orders. A quote is a dry run: the service makes every check that it can
// make without the registry, and names contacts, name servers and the price.
import { useMutation, useQuery } from '@tanstack/react-query'
import {
  checkOneDomain,
  type DomainStatusResponse,
  getOperation,
  listTldPrices,
  type Price,
  registerDomain,
} from 'sdk'
import { answerOf } from './api.ts'
import { type Currency, useMoneyMoved } from './balance-queries.ts'

export function useTldPrices(currency: Currency) {
  return useQuery({
    queryKey: ['tld-prices', currency],
    queryFn: async () => (await answerOf(listTldPrices({ query: { currency } }))).tlds,
    staleTime: 600_000,
  })
}

/** One query for each name, so that every answer is shown as it comes. */
export function availabilityQuery(domain: string, currency: Currency) {
  return {
    queryKey: ['availability', domain, currency],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const query = { currency, depth: 'quick' as const }
      const { domains } = await answerOf(checkOneDomain({ path: { domain }, query, signal }))
      const [one] = domains
      if (one === undefined) throw new Error(`The answer has no entry for ${domain}.`)
      return one
    },
    staleTime: 60_000,
  }
}

type Wanted = { domain: string; currency: Currency; period_years: number }
export type Quote = Wanted & {
  price: Price
  holding: DomainStatusResponse
  /** Of the order that accepts this quote: sent again, it is the same order. */
  idempotency_key: string
}

export function useQuote({ domain, currency, period_years }: Wanted) {
  return useQuery({
    queryKey: ['quote', domain, currency, period_years],
    queryFn: async (): Promise<Quote> => {
      const wanted = { domain, currency, period_years }
      const body = { ...wanted, allow_premium: true, dry_run: true }
      const holding = await answerOf(registerDomain({ body }))
      if (holding.price === undefined) throw new Error('The dry run has no price.')
      const idempotency_key = crypto.randomUUID()
      return { ...wanted, price: holding.price, holding, idempotency_key }
    },
    // Another quote would have another key.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
}

export function usePurchase() {
  const moneyMoved = useMoneyMoved()
  return useMutation({
    mutationFn: ({ domain, currency, period_years, price, idempotency_key }: Quote) =>
      answerOf(
        registerDomain({
          body: {
            domain,
            currency,
            period_years,
            allow_premium: price.premium,
            max_price: price.amount,
          },
          headers: { 'Idempotency-Key': idempotency_key },
        }),
      ),
    onSettled: moneyMoved,
  })
}

const poll_ms = 2_000

/** Read again until it has ended. */
export function useOrder(id: string) {
  return useQuery({
    queryKey: ['order', id],
    queryFn: () => answerOf(getOperation({ path: { id } })),
    refetchInterval: ({ state }) => (state.data?.closed_at ? false : poll_ms),
    staleTime: 0,
  })
}
