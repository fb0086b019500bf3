// Prices of TLDs, availability of names, and orders.
import { skipToken, useQuery } from '@tanstack/react-query'
import { checkOneDomain, getOperation, listTldPrices } from 'sdk'
import { answerOf } from '../api.ts'
import type { Currency } from './balance-queries.ts'

async function readTldPrices(currency: Currency) {
  return (await answerOf(listTldPrices({ query: { currency } }))).tlds
}

/** The prices of all TLDs; the query is pending until the currency is known. */
export function useTldPrices(currency: Currency | undefined) {
  return useQuery({
    queryKey: ['tld-prices', currency],
    queryFn: currency === undefined ? skipToken : () => readTldPrices(currency),
    staleTime: 600_000,
  })
}

/**
 * The availability of one name. Each name has its own query, so that an answer is shown as soon as
 * it comes.
 */
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

const poll_ms = 2_000

/** One order, which is polled until it has ended. */
export function useOrder(id: string) {
  return useQuery({
    queryKey: ['order', id],
    queryFn: () => answerOf(getOperation({ path: { id } })),
    refetchInterval: ({ state }) => (state.data?.closed_at ? false : poll_ms),
    staleTime: 0,
  })
}
