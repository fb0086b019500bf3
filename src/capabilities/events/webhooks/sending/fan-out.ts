// Fan-out of new events: a delivery for each endpoint that wants the event, and a task of the
// endpoint, in the transaction that stores the events.
import type { Sql } from '../../../../db/database.ts'
import { type Json, json } from '../../../../db/statement.ts'
import { type CustomerId, newId } from '../../../../kit/random.ts'
import { enqueue } from '../../../../tasks/index.ts'
import { type EventType, matchesType } from '../../event-types.ts'
import { mayMakerSee } from '../webhook-maker.ts'
import { insertDeliveries, notifyDeliveries, webhooksOfCustomers } from '../webhooks.sql.ts'
import { deliverWebhook } from './deliver-task.ts'

type Fact = {
  id: string
  pos: string
  customer_id: CustomerId
  type: EventType
  subject_type: string
  subject_id: string
  data: Json
}

export async function fanOut(sql: Sql, events: readonly Fact[], now: Date): Promise<void> {
  const customers = [...new Set(events.map(({ customer_id }) => customer_id))]
  // In the order of their ids, in which their tasks are locked.
  const webhooks = await sql.run(webhooksOfCustomers, { customers })
  const deliveries = webhooks.flatMap(({ id, customer_id, types, ...maker }) =>
    events
      .filter((event) => event.customer_id === customer_id && isFor(event, { id, types }))
      .filter((event) => mayMakerSee(maker, event))
      .map((event) => ({
        id: newId('dlv', now.getTime()),
        webhook_id: id,
        customer_id,
        event_id: event.id,
        event_type: event.type,
        pos: event.pos,
        created_at: now.toISOString(),
      })),
  )
  if (deliveries.length === 0) return
  await sql.run(insertDeliveries, { deliveries: json(deliveries) })
  const wanted = new Set(deliveries.map(({ webhook_id }) => webhook_id))
  for (const key of wanted)
    await enqueue(sql, deliverWebhook, { key, payload: {}, existing: 'replace' })
  await sql.one(notifyDeliveries)
}

/** A test is sent to the endpoint that it names, whatever types of events it gets. */
function isFor(
  { type, subject_id }: Fact,
  { id, types }: { id: string; types: readonly string[] },
): boolean {
  if (type === 'webhook.test') return subject_id === id
  return types.some((word) => matchesType(word, type))
}
