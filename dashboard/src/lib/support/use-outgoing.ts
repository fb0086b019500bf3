// Outgoing messages: each has an idempotency key of its own, so that a repeat never sends a second
// message, whether or not the first one arrived.
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type SupportMessageResponse, sendSupportMessage } from 'sdk'
import { answerOf } from '../api.ts'
import { conversationKey, messagesOf, type Pages, withMessage } from './conversation.ts'

export type Outgoing = {
  key: string
  body: string
  /** The id of the newest message when this one was written, or null if there was none. */
  after: string | null
  error: unknown
  state: 'sending' | 'failed'
}

type Sender = 'customer' | 'operator'
/** The owner's or the operators' side of a conversation. */
type Side = {
  queryKey: QueryKey
  post: (body: string, idempotency_key: string) => Promise<SupportMessageResponse>
}

const ofCustomer: Side = {
  queryKey: conversationKey,
  post: (body, key) =>
    answerOf(sendSupportMessage({ body: { body }, headers: { 'Idempotency-Key': key } })),
}

export function useOutgoing({ queryKey, post }: Side = ofCustomer) {
  const queries = useQueryClient()
  const [outgoing, setOutgoing] = useState<readonly Outgoing[]>([])
  const change = (key: string, to: Partial<Outgoing> | null) =>
    setOutgoing((all) =>
      all.flatMap((one) => (one.key !== key ? [one] : to === null ? [] : [{ ...one, ...to }])),
    )
  const attempt = async ({ key, body }: Outgoing) => {
    change(key, { state: 'sending', error: null })
    try {
      const sent = await post(body, key)
      queries.setQueryData<Pages>(queryKey, (pages) => pages && withMessage(pages, sent))
      change(key, null)
    } catch (error) {
      change(key, { state: 'failed', error })
    }
  }
  return {
    outgoing,
    send: (body: string) => {
      const [newest] = messagesOf(queries.getQueryData<Pages>(queryKey))
      const key = crypto.randomUUID()
      const one: Outgoing = { key, body, after: newest?.id ?? null, error: null, state: 'sending' }
      setOutgoing((all) => [...all, one])
      void attempt(one)
    },
    retry: (one: Outgoing) => void attempt(one),
    discard: ({ key }: Outgoing) => change(key, null),
  }
}

/** The messages without those that the stream brought before the response to their own request. */
export function withoutOutgoing<M extends SupportMessageResponse>(
  newestFirst: readonly M[],
  outgoing: readonly Outgoing[],
  own: Sender = 'customer',
): readonly M[] {
  const hidden = new Set(
    outgoing.map(({ body, after }) => {
      const known = newestFirst.findIndex(({ id }) => id === after)
      const later = known < 0 ? newestFirst : newestFirst.slice(0, known)
      return later.findLast((one) => one.sender === own && one.body === body)?.id
    }),
  )
  return newestFirst.filter(({ id }) => !hidden.has(id))
}
