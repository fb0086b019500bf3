// Webhooks of the account and their deliveries. A secret passes only through a mutation, and is in
// no cache.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { UpdateWebhookData, Webhook, WebhookDelivery } from 'sdk'
import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from 'sdk-of-webhooks'
import { answerOf, doneOf } from '../../lib/api.ts'
import { confirmed } from '../../lib/sign-in/confirmed.ts'

export const webhooksKey = ['webhooks'] as const
const deliveriesKey = (id: string) => ['webhook-deliveries', id] as const

const page_size = 10
/**
 * The time for which deliveries are watched: a test first becomes an event, which takes a second,
 * and is then sent.
 */
const watched_ms = 15_000
const look_ms = 1_000

export function hostOf({ url }: Webhook): string {
  return URL.parse(url)?.host ?? url
}

export function useWebhooks() {
  return useQuery({
    queryKey: webhooksKey,
    queryFn: async () => (await answerOf(listWebhooks())).webhooks,
  })
}

type Body = Pick<Webhook, 'url' | 'types'> & { description: string }

export function useWebhookChanges() {
  const queries = useQueryClient()
  const onSettled = () => queries.invalidateQueries({ queryKey: webhooksKey })
  return {
    create: useMutation({
      mutationFn: (body: Body) => confirmed(() => answerOf(createWebhook({ body }))),
      onSettled,
      gcTime: 0,
    }),
    update: useMutation({
      mutationFn: ({ id, ...body }: { id: string } & UpdateWebhookData['body']) =>
        confirmed(() => answerOf(updateWebhook({ path: { id }, body }))),
      onSettled,
    }),
    rotate: useMutation({
      mutationFn: (id: string) => confirmed(() => answerOf(rotateWebhookSecret({ path: { id } }))),
      onSettled,
      gcTime: 0,
    }),
  }
}

export function removeWebhook({ id }: Webhook): Promise<void> {
  return doneOf(deleteWebhook({ path: { id } }))
}

const firstPage: { cursor?: string } = {}

/** The deliveries, newest first, which are polled each second after something was sent. */
export function useDeliveries({ id }: Webhook) {
  const queries = useQueryClient()
  const [isWatched, setWatched] = useState(false)
  useEffect(() => {
    if (!isWatched) return
    const timer = setTimeout(() => {
      setWatched(false)
      // A delivery changes the state of the webhook, too.
      void queries.invalidateQueries({ queryKey: webhooksKey })
    }, watched_ms)
    return () => clearTimeout(timer)
  }, [isWatched, queries])
  const deliveries = useInfiniteQuery({
    queryKey: deliveriesKey(id),
    queryFn: ({ pageParam }) =>
      answerOf(listWebhookDeliveries({ path: { id }, query: { limit: page_size, ...pageParam } })),
    initialPageParam: firstPage,
    getNextPageParam: ({ next_cursor }) => (next_cursor === null ? null : { cursor: next_cursor }),
    refetchInterval: isWatched ? look_ms : false,
  })
  const onSuccess = () => {
    setWatched(true)
    return queries.invalidateQueries({ queryKey: deliveriesKey(id) })
  }
  const test = useMutation({
    mutationFn: () => answerOf(testWebhook({ path: { id } })),
    onSuccess,
  })
  const redeliver = useMutation({
    mutationFn: (delivery: WebhookDelivery) =>
      answerOf(redeliverWebhook({ path: { id, delivery_id: delivery.id } })),
    onSuccess,
  })
  return { deliveries, test, redeliver }
}
