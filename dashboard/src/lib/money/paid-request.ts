// Paid request in two steps: a dry run names the price; then the same request is sent with that
// price as its maximum, and with an idempotency key, so that a repeat is the same order.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { DomainStatusResponse, Price } from 'sdk'
import { paymentTexts as texts } from '../../messages/payment-texts.ts'
import { ApiError } from '../api.ts'
import { showToast } from '../toasts.ts'
import { type Currency, currencies, useMoneyMoved } from './balance-queries.ts'

export type Quote = {
  price: Price
  /** The domain as the order would make it. */
  holding: DomainStatusResponse
  /** The idempotency key of the order that accepts this quote. */
  idempotency_key: string
}

type Request = {
  /** Everything that the price depends on, or null if nothing is asked for yet. */
  terms: readonly unknown[] | null
  dryRun: () => Promise<DomainStatusResponse>
  order: (quote: Quote) => Promise<DomainStatusResponse>
}

export type PaidRequest = ReturnType<typeof usePaidRequest>

export function usePaidRequest({ terms, dryRun, order }: Request) {
  const quote = useQuery({
    queryKey: ['quote', terms],
    queryFn: async (): Promise<Quote> => {
      const holding = await dryRun()
      if (holding.price === undefined) throw new Error('The dry run has no price.')
      return { price: holding.price, holding, idempotency_key: crypto.randomUUID() }
    },
    enabled: terms !== null,
    // A second read would make a quote with another key.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const moneyMoved = useMoneyMoved()
  const payment = useMutation({
    mutationFn: useClosingNotice(order),
    onError: (error) => {
      if (isPriceChanged(error)) void quote.refetch()
    },
    onSettled: moneyMoved,
  })
  const isChanged = isPriceChanged(payment.error)
  const current = quote.isFetching || terms === null ? undefined : quote.data
  return {
    quote: current,
    isQuoting: quote.isFetching,
    quoteError: quote.isFetching ? null : quote.error,
    payment,
    /** The price that the user accepted and the service refused; the quote has the new price. */
    replaced: isChanged ? (payment.variables?.price ?? null) : null,
    /**
     * The error of paying this quote: a final refusal, or a missing answer, after which the request
     * may be sent again.
     */
    paymentError: isChanged ? null : payment.error,
    isPayable: current !== undefined && (isChanged || !isFinal(payment.error)),
    again: () => {
      payment.reset()
      void quote.refetch()
    },
  }
}

/** Says, however the dialog is closed, that an order which was sent is not taken back. */
function useClosingNotice(order: Request['order']): Request['order'] {
  const isSent = useRef(false)
  useEffect(
    () => () => {
      if (isSent.current) showToast({ title: texts.closed, description: texts.closedText })
    },
    [],
  )
  return async (quote) => {
    isSent.current = true
    return await order(quote).finally(() => {
      isSent.current = false
    })
  }
}

export function isPriceChanged(error: unknown): boolean {
  return error instanceof ApiError && error.failure.code === 'price_changed'
}

/** Whether an error is a refusal. After a missing answer the same request may be sent again. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.failure.status !== 0 && error.failure.status < 500
}

/** Price, balance and shortfall of a 402, of an order or of its dry run; null for other errors. */
export function fundsOf(error: unknown) {
  if (!(error instanceof ApiError) || error.failure.code !== 'insufficient_funds') return null
  const { price: quoted, balance, shortfall, owed } = error.failure.facts
  const isPrice = typeof quoted === 'object' && quoted !== null && 'amount' in quoted
  const price = isPrice ? quoted.amount : null
  if (typeof price !== 'string' || typeof balance !== 'string' || typeof shortfall !== 'string')
    return null
  return { price, balance, shortfall, owed: Array.isArray(owed) ? owed.filter(isDebt) : [] }
}

type Debt = { currency: Currency; amount: string }

function isDebt(value: unknown): value is Debt {
  const { currency, amount } = Object(value)
  return currencies.some((one) => one === currency) && typeof amount === 'string'
}
