// Derives events from the audit log, in its order: one node at a time, without a lock that a writer
// of the log would meet (decision 60).
import { type App, job } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { type Json, json } from '../../../db/statement.ts'
import { formatAmount } from '../../../kit/money.ts'
import { type CustomerId, newId } from '../../../kit/random.ts'
import { type LoggedRow, readLog } from '../../audit/index.ts'
import { fanOut } from '../webhooks/sending/fan-out.ts'
import { type EventDraft, eventOf } from './event-rules.ts'
import {
  insertEvents,
  isBehind,
  lockCursor,
  moveCursor,
  notifyEvents,
  ordersOfEvents,
} from './events.sql.ts'

const rows_at_once = 500
/** The size of an event's data as JSON, since a webhook's body must stay below 20 kB. */
const most_characters = 16_000
/** A notification holds 8,000 octets. */
const customers_of_notification = 200

type NewEvent = {
  id: string
  pos: string
  customer_id: CustomerId
  type: EventDraft['type']
  audit_log_id: string
  subject_type: string
  subject_id: string
  data: { [field: string]: Json }
  created_at: string
}

type Derived = { more: boolean; events: number }

/** Reads one batch of the log. `more` is true if there may be rows left that can be read now. */
export async function deriveEvents(app: Pick<App, 'db' | 'log' | 'clock'>): Promise<Derived> {
  if (!(await app.db.one(isBehind)).behind) return { more: false, events: 0 }
  return app.db.transaction(async (sql) => {
    const cursor = await sql.maybe(lockCursor)
    if (!cursor) return { more: false, events: 0 }
    const after = { era: cursor.era, xid: cursor.xid, id: String(cursor.id) }
    const { rows, place } = await readLog(sql, after, rows_at_once)
    if (rows.length === 0) return { more: false, events: 0 }
    const events = await eventsOf(app, sql, { rows, pos: cursor.pos })
    if (events.length > 0) await store(app, sql, events)
    const { era, xid, id } = place
    await sql.run(moveCursor, { era, xid, id: BigInt(id), pos: cursor.pos + BigInt(events.length) })
    return { more: rows.length === rows_at_once, events: events.length }
  })
}

type Batch = { rows: readonly LoggedRow[]; pos: bigint }

async function eventsOf(
  { log }: Pick<App, 'log'>,
  sql: Sql,
  { rows, pos }: Batch,
): Promise<NewEvent[]> {
  const drafts = rows.flatMap((row) => {
    const draft = row.customer_id === null ? null : eventOf(row)
    if (draft === undefined) log.warn({ action: row.action }, 'audit action has no event rule')
    return draft ? [{ row, draft }] : []
  })
  const orders = await readOrders(sql, drafts)
  return drafts.map(({ row, draft }, index) => {
    const order = typeof draft.data.order === 'string' ? orders.get(draft.data.order) : undefined
    return {
      id: newId('evt', row.created_at.getTime()),
      pos: String(pos + BigInt(index) + 1n),
      customer_id: row.customer_id ?? '',
      type: draft.type,
      audit_log_id: String(row.id),
      subject_type: row.target_type ?? 'account',
      subject_id: row.target ?? row.customer_id ?? '',
      data: plain({ ...draft.data, ...order }),
      created_at: row.created_at.toISOString(),
    }
  })
}

async function readOrders(
  sql: Sql,
  drafts: readonly { draft: EventDraft }[],
): Promise<Map<string, { [field: string]: string }>> {
  const ids = drafts.flatMap(({ draft: { data } }) =>
    typeof data.order === 'string' ? [data.order] : [],
  )
  if (ids.length === 0) return new Map()
  const rows = await sql.run(ordersOfEvents, { ids: [...new Set(ids)] })
  return new Map(
    rows.map(({ id, type, currency, amount }) => [
      id,
      { order_type: type, amount: formatAmount(amount), currency },
    ]),
  )
}

/** The data as JSON stores it, without the facts if they are too many. */
function plain(data: EventDraft['data']): NewEvent['data'] {
  const text = JSON.stringify(data)
  return text.length > most_characters ? { truncated: true } : JSON.parse(text)
}

async function store(
  { clock }: Pick<App, 'clock'>,
  sql: Sql,
  events: readonly NewEvent[],
): Promise<void> {
  await sql.run(insertEvents, { events: json(events) })
  await fanOut(sql, events, clock.now())
  const customers = [...new Set(events.map(({ customer_id }) => customer_id))]
  for (let from = 0; from < customers.length; from += customers_of_notification)
    await sql.one(notifyEvents, {
      customers: customers.slice(from, from + customers_of_notification).join(' '),
    })
}

export const deriveEventsJob = job({
  name: 'derive_events',
  does: 'Derives events from new rows of the audit log.',
  every_ms: 500,
  per_node: true,
  run: (app) => deriveEvents(app),
})
