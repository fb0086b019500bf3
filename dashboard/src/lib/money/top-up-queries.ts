// Top-ups: the methods that are offered, and the progress of each, which is read until it ends.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type CardCheckoutResponse,
  type CheckoutResponse,
  createCardCheckout,
  createTopUp,
  getCardCheckout,
  getCardConfig,
  getTopUp,
  getTopUpConfig,
  listTopUps,
  reportTopUp,
} from 'sdk'
import { useAccount } from '../account.ts'
import { ApiError, answerOf } from '../api.ts'
import type { Currency } from './balance-queries.ts'

export type Checkout = CheckoutResponse

/** The methods of a top-up; a method that is not set up is null. */
export function useTopUpMethods() {
  const { id: customer_id } = useAccount()
  const path = { customer_id }
  return useQuery({
    queryKey: ['top-up-methods'],
    queryFn: async () => {
      const [gateway, card] = await Promise.all([
        answerOf(getTopUpConfig({ path })).catch(unlessNotConfigured),
        answerOf(getCardConfig({ path })).catch(unlessNotConfigured),
      ])
      return { gateway, card }
    },
    staleTime: 300_000,
  })
}
export type TopUpMethods = NonNullable<ReturnType<typeof useTopUpMethods>['data']>

function unlessNotConfigured(error: unknown): null {
  if (error instanceof ApiError && error.failure.code === 'not_configured') return null
  throw error
}

const poll_ms = 3_000
const endStates: readonly Checkout['status'][] = ['paid', 'failed']

/**
 * A checkout, which is polled even after its time has ended, since a late payment is credited, too.
 */
export function useCheckout(checkout_id: string) {
  const { id: customer_id } = useAccount()
  return useQuery({
    queryKey: ['top-up', checkout_id],
    queryFn: () => answerOf(getTopUp({ path: { customer_id, checkout_id } })),
    refetchInterval: ({ state }) =>
      state.data && endStates.includes(state.data.status) ? false : poll_ms,
    staleTime: 0,
  })
}

export function useOpenTopUps() {
  const { id: customer_id } = useAccount()
  return useQuery({
    queryKey: ['top-ups'],
    queryFn: async () => (await answerOf(listTopUps({ path: { customer_id } }))).checkouts,
    staleTime: 0,
  })
}

export type TopUpAmount = { amount_cents: number; currency: Currency }

export function useCreateTopUp() {
  const { id: customer_id } = useAccount()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: TopUpAmount & { asset: string; network: string }) =>
      answerOf(createTopUp({ path: { customer_id }, body })),
    onSuccess: (checkout) => {
      queries.setQueryData(['top-up', checkout.id], checkout)
      return queries.invalidateQueries({ queryKey: ['top-ups'] })
    },
  })
}

export function useCreateCardTopUp() {
  const { id: customer_id } = useAccount()
  return useMutation({
    mutationFn: (body: TopUpAmount) =>
      answerOf(createCardCheckout({ path: { customer_id }, body })),
  })
}

const cardEnds: readonly CardCheckoutResponse['status'][] = ['paid', 'expired', 'failed', 'parked']

export function useCardTopUp(checkout_id: string) {
  const { id: customer_id } = useAccount()
  return useQuery({
    queryKey: ['card-top-up', checkout_id],
    queryFn: () => answerOf(getCardCheckout({ path: { customer_id, checkout_id } })),
    refetchInterval: ({ state }) =>
      state.data && cardEnds.includes(state.data.status) ? false : poll_ms,
    staleTime: 0,
  })
}

/**
 * Reports a payment. The report is only a hint: the gateway is read at once, and only payments that
 * it shows are credited.
 */
export function useReport(checkout_id: string) {
  const { id: customer_id } = useAccount()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (transaction_id: string) =>
      answerOf(reportTopUp({ path: { customer_id, checkout_id }, body: { transaction_id } })),
    onSuccess: (checkout) => queries.setQueryData(['top-up', checkout_id], checkout),
  })
}
