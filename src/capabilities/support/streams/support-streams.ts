// Event streams of support on this node: one fan-out for all of them. A notification of PostgreSQL
// names a customer; one statement then reads the new events of all such customers, from where their
// streams are. Positions have no gap and are committed in order, so none is lost or sent twice.

import type { Logger } from 'pino'
import type { App } from '../../../app.ts'
import { Subscription } from '../../../db/database.ts'
import { Fault } from '../../../kit/fault.ts'
import { type CustomerId, newId } from '../../../kit/random.ts'
import {
  type EventSink,
  EventStream,
  eventOf,
  retryAfter,
  type SendingStream,
} from '../../../replies/event-stream.ts'
import { streamsFull, tooManyStreams } from '../faults.ts'
import { messageOf } from '../schemas.ts'
import { StreamLease } from './stream-lease.ts'
import { type EventRow, eventsAfter, openStream } from './streams.sql.ts'

declare module '../../../app.ts' {
  interface App {
    supportStreams: SupportStreams
  }
}

const most_of_customer = 5
const heartbeat_ms = 15_000
const retry_ms = 2_000
/** The limit is low, since a client that falls behind reads the rest again. */
const page = 25
const failed_wait_ms = 500

type Parts = Pick<App, 'db' | 'log' | 'chance' | 'clock' | 'monotonic_ms'> & {
  settings: { support_streams: number }
}

type Reader = {
  id: string
  customer_id: CustomerId
  /** The position of the last event that was sent. */
  position: bigint
  sink: EventSink
  /** Whether its client has not yet taken the sent events; it continues when the client has. */
  isFull: boolean
}

export class SupportStreams {
  readonly #parts: Parts
  readonly #log: Logger
  readonly #heartbeat_ms: number
  readonly #lease: StreamLease
  readonly #readers = new Map<string, Set<Reader>>()
  /** Customers whose streams may have something to read. */
  readonly #dirty = new Set<string>()
  #open = 0
  #pumping: Promise<void> | null = null
  readonly #events: Subscription
  #heartbeat: NodeJS.Timeout | null = null
  #closed = false

  constructor(parts: Parts, times: { heartbeat_ms?: number } = {}) {
    this.#parts = parts
    this.#log = parts.log
    this.#heartbeat_ms = times.heartbeat_ms ?? heartbeat_ms
    this.#lease = new StreamLease(parts, { lost: () => this.#endAll() })
    this.#events = new Subscription(parts.db, 'support_events', {
      notified: (customer_id) => this.#wake([customer_id]),
      reconnected: () => this.#wake([...this.#readers.keys()]),
    })
  }

  /** The open streams of this node. */
  get size(): number {
    return this.#open
  }

  /**
   * Registers a stream of the customer that continues after an event, or from now on. Throws
   * tooManyStreams, streamsFull or DatabaseUnavailable.
   */
  async open(customer_id: CustomerId, after: bigint | null): Promise<EventStream> {
    const { db, chance, settings } = this.#parts
    if (this.#closed || this.#open >= settings.support_streams)
      throw streamsFull({ retry_after_s: 5 + chance() * 10 })
    this.#open += 1
    const id = newId('sst')
    try {
      await this.#events.ensure()
      const { node, lease_ms } = this.#lease
      const most = most_of_customer
      const { opened, last_event } = await db.one(openStream, {
        ...{ id, customer_id, node, most, lease_ms },
      })
      if (!opened) throw tooManyStreams({ retry_after_s: lease_ms / 1_000 })
      this.#lease.begin()
      const position = after === null || after > last_event ? last_event : after
      return new EventStream((sink) =>
        this.#connect({ id, customer_id, position, sink, isFull: false }),
      )
    } catch (error) {
      this.#open -= 1
      // Its row may exist, since the answer of the database may have been lost.
      if (!(error instanceof Fault)) this.#lease.release(id)
      if (this.#open === 0) this.#lease.pause()
      throw error
    }
  }

  /** Ends all of them, and takes the node off the list. */
  async close(): Promise<void> {
    this.#closed = true
    this.#endAll()
    this.#dirty.clear()
    await this.#pumping
    await this.#lease.end()
  }

  #connect(reader: Reader): SendingStream {
    const { customer_id, position, sink } = reader
    const readers = this.#readers.get(customer_id) ?? new Set()
    this.#readers.set(customer_id, readers.add(reader))
    this.#heartbeat ??= setInterval(() => this.#beat(), this.#heartbeat_ms).unref()
    // The streams do not all come back at once after a node has stopped.
    sink.write(retryAfter(retry_ms * (0.5 + this.#parts.chance())))
    sink.write(this.#heartbeatAt(position))
    this.#wake([customer_id])
    let connected = true
    return {
      drained: () => {
        reader.isFull = false
        this.#wake([customer_id])
      },
      stopped: () => {
        if (connected) this.#disconnect(reader)
        connected = false
      },
    }
  }

  #disconnect(reader: Reader): void {
    const readers = this.#readers.get(reader.customer_id)
    readers?.delete(reader)
    if (readers?.size === 0) this.#readers.delete(reader.customer_id)
    this.#open -= 1
    this.#lease.release(reader.id)
    if (this.#open === 0) this.#lease.pause()
    if (this.#readers.size > 0 || this.#heartbeat === null) return
    clearInterval(this.#heartbeat)
    this.#heartbeat = null
  }

  #endAll(): void {
    for (const readers of [...this.#readers.values()])
      for (const { sink } of [...readers]) sink.end()
  }

  /** Also reads: events whose notification was lost come now at the latest. */
  #beat(): void {
    const made = new Map<bigint, Buffer>()
    for (const readers of this.#readers.values())
      for (const { position, sink, isFull } of [...readers]) {
        if (isFull) continue
        const event = made.get(position) ?? this.#heartbeatAt(position)
        made.set(position, event)
        sink.write(event)
      }
    this.#wake([...this.#readers.keys()])
  }

  #heartbeatAt(position: bigint): Buffer {
    const data = { at: this.#parts.clock.now().toISOString() }
    return eventOf({ id: String(position), event: 'heartbeat', data })
  }

  #wake(customer_ids: readonly string[]): void {
    if (this.#closed) return
    for (const id of customer_ids) if (this.#readers.has(id)) this.#dirty.add(id)
    if (this.#dirty.size > 0) this.#pumping ??= this.#pump()
  }

  /** One statement at a time; customers that are named meanwhile are read by the next. */
  async #pump(): Promise<void> {
    // All that is notified in one turn is read by one statement.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#dirty.size > 0 && !this.#closed) {
      const customer_ids = [...this.#dirty].filter((id) => this.#ready(id).length > 0)
      this.#dirty.clear()
      try {
        if (customer_ids.length > 0) await this.#read(customer_ids)
      } catch (error) {
        this.#log.warn({ err: error }, 'support events not read yet')
        for (const id of customer_ids) this.#dirty.add(id)
        await new Promise((resolve) => setTimeout(resolve, failed_wait_ms).unref())
      }
    }
    this.#pumping = null
    this.#wake([])
  }

  /** The streams that can take more. */
  #ready(customer_id: CustomerId): Reader[] {
    return [...(this.#readers.get(customer_id) ?? [])].filter(({ isFull }) => !isFull)
  }

  async #read(customer_ids: readonly string[]): Promise<void> {
    const positions = (id: string) => this.#ready(id).map(({ position }) => position)
    const afters = customer_ids.map((id) => positions(id).reduce((a, b) => (a < b ? a : b)))
    const rows = await this.#parts.db.run(eventsAfter, { customer_ids, afters, limit: page })
    const counts = new Map<string, number>()
    for (const row of rows) {
      counts.set(row.customer_id, (counts.get(row.customer_id) ?? 0) + 1)
      const event = sentEvent(row)
      for (const reader of this.#ready(row.customer_id)) {
        // One that was full meanwhile has an earlier position, and reads again from there.
        if (reader.position !== row.position - 1n) continue
        reader.position = row.position
        reader.isFull = !reader.sink.write(event)
      }
    }
    for (const [id, count] of counts) if (count === page) this.#dirty.add(id)
  }
}

function sentEvent(row: EventRow): Buffer {
  const { position, kind, reader, id: up_to, at } = row
  const data = kind === 'message' ? messageOf(row) : { reader, up_to, read_at: at.toISOString() }
  return eventOf({ id: String(position), event: kind, data })
}
