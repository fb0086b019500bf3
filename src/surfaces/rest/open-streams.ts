// Open event streams of this node as connections: slow readers are dropped, and a stream ends when
// its token does, or when the node stops.

import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { Subscription } from '../../db/database.ts'
import type { CustomerId } from '../../kit/random.ts'
import { type EventStream, eventStreamType } from '../../replies/event-stream.ts'
import type { PipelineResponse } from '../pipeline/pipeline.ts'

/**
 * The most octets that wait in this process for a client. The kernel has taken some megabytes
 * before.
 */
const most_waiting = 65_536
/** A client that has taken none of these octets for so long is dropped. */
const slow_ms = 3_000
/** With the 3 s that an authentication is cached, a revocation holds within 5 s (decision 10). */
const recheck_ms = 1_500
/** A stream outlives the last answer of the database about its token by this time. */
const unknown_ms = 5_000
const tick_ms = 250

type Parts = Pick<App, 'db' | 'log' | 'chance' | 'monotonic_ms'>
type Answer = Pick<PipelineResponse, 'headers' | 'caller' | 'isStillAdmitted'>
type Sending = {
  request: FastifyRequest
  reply: FastifyReply
  stream: EventStream
  response: Answer
}
type Connection = {
  response: ServerResponse
  customer_id: CustomerId
  isStillAdmitted: () => Promise<boolean>
  /** The time since which as many octets wait as may, or null while fewer do. */
  full_since_ms: number | null
  admitted_ms: number
  check_ms: number
  isChecking: boolean
}

export class OpenStreams {
  readonly #parts: Parts
  readonly #shutdown: AbortSignal
  readonly #connections = new Set<Connection>()
  #timer: NodeJS.Timeout | null = null
  readonly #revocations: Subscription

  constructor(parts: Parts, shutdown: AbortSignal) {
    this.#parts = parts
    this.#shutdown = shutdown
    this.#revocations = new Subscription(parts.db, 'access_revoked', {
      notified: (customer_id) => this.#recheck(customer_id),
      reconnected: () => this.#recheck(null),
    })
    shutdown.addEventListener('abort', () => {
      for (const { response } of this.#connections) response.end()
    })
  }

  /** Answers with the stream, past Fastify's own reply. */
  send({ request, reply, stream, response: answer }: Sending): FastifyReply {
    const headers = {
      ...answer.headers,
      'Content-Type': eventStreamType,
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    }
    if (request.method === 'HEAD' || this.#shutdown.aborted) {
      stream.abandon()
      return reply.code(200).headers(headers).send()
    }
    const { socket } = request.raw
    // The client went while the place was taken, so no `close` follows.
    if (socket.destroyed || reply.raw.destroyed) {
      stream.abandon()
      return reply.hijack()
    }
    request.began_ms = reply.elapsedTime
    reply.hijack()
    const response = reply.raw
    response.writeHead(200, headers)
    response.socket?.setNoDelay(true)
    const connection = this.#add(response, answer)
    const sending = stream.connect({
      write: (events) => this.#write(connection, events),
      end: () => response.end(),
    })
    response.on('error', () => undefined)
    response.on('drain', () => {
      connection.full_since_ms = null
      sending.drained()
    })
    const stop = () => {
      socket.off('close', stop)
      this.#remove(connection)
      sending.stopped()
    }
    response.on('close', stop)
    // A response that waits behind another of its connection (pipelining) is not closed with it.
    socket.once('close', stop)
    return reply
  }

  #write(connection: Connection, events: Buffer): boolean {
    const { response } = connection
    if (!response.writable) return false
    response.write(events)
    const isFull = response.writableLength > most_waiting
    if (isFull) connection.full_since_ms ??= this.#parts.monotonic_ms()
    return !isFull
  }

  #dropSlow(now: number): void {
    for (const { response, customer_id, full_since_ms } of this.#connections) {
      if (full_since_ms === null || now - full_since_ms < slow_ms) continue
      this.#parts.log.info({ customer_id }, 'event stream dropped: its client reads too slowly')
      response.destroy()
    }
  }

  #add(response: ServerResponse, { caller, isStillAdmitted }: Answer): Connection {
    const now = this.#parts.monotonic_ms()
    const connection = {
      response,
      customer_id: 'customer_id' in caller ? caller.customer_id : '',
      isStillAdmitted,
      full_since_ms: null,
      admitted_ms: now,
      // The checks are spread, so that a thousand streams are not checked at once.
      check_ms: now + recheck_ms * this.#parts.chance(),
      isChecking: false,
    }
    this.#connections.add(connection)
    this.#timer ??= setInterval(() => this.#tick(), tick_ms).unref()
    // A revocation is checked at once, or at the next check if its notification was lost.
    this.#revocations.begin()
    return connection
  }

  #remove(connection: Connection): void {
    this.#connections.delete(connection)
    if (this.#connections.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  /** Checks the streams of a customer, or of all customers for null. */
  #recheck(customer_id: CustomerId | null): void {
    const now = this.#parts.monotonic_ms()
    for (const one of this.#connections)
      if (customer_id === null || one.customer_id === customer_id) one.check_ms = now
  }

  #tick(): void {
    const now = this.#parts.monotonic_ms()
    this.#dropSlow(now)
    for (const one of this.#connections)
      if (!one.isChecking && one.check_ms <= now) void this.#check(one, now)
  }

  async #check(connection: Connection, now: number): Promise<void> {
    connection.isChecking = true
    connection.check_ms = now + recheck_ms
    try {
      if (await connection.isStillAdmitted()) connection.admitted_ms = now
      else connection.response.end()
    } catch (error) {
      if (now - connection.admitted_ms > unknown_ms) {
        this.#parts.log.warn({ err: error }, 'event stream ended: its token cannot be checked')
        connection.response.end()
      }
    }
    connection.isChecking = false
  }
}
