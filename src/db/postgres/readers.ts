// Reading connections to PostgreSQL: few, shared, pipelined and read-only.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type BackoffRange, backoffMs, withJitter } from '../../kit/concurrency/backoff.ts'
import { prepareSession, servingConfig, type Target, translateError } from './connection.ts'
import { DatabaseUnavailable, kindOfError, messageOf } from './errors.ts'

const reconnect: BackoffRange = { first_ms: 50, longest_ms: 2_000 }

/** One read-only pipelined connection that reconnects automatically. */
class Reader {
  #target: Target
  #client: pg.Client | null = null
  #connecting: Promise<pg.Client> | null = null
  #closing = new AbortController()
  #lastError: unknown = null
  #timeout_ms: number | undefined
  in_flight = 0

  /** `timeout_ms` is the limit of one statement, if it is shorter than usual. */
  constructor(target: Target, timeout_ms?: number) {
    this.#target = target
    this.#timeout_ms = timeout_ms
  }

  async #connect(): Promise<pg.Client> {
    const timeout_ms = this.#timeout_ms
    const short = timeout_ms === undefined ? {} : { timeout_ms }
    // The server ends a slow statement first; this time-out is for a server that does not answer.
    const waits = timeout_ms === undefined ? {} : { query_timeout: 1.5 * timeout_ms }
    const client = new pg.Client(servingConfig(this.#target, { pipeline: true, ...waits }))
    const lost = (error?: unknown) => this.#lost(client, error)
    client.on('error', lost)
    client.on('end', () => lost())
    try {
      await client.connect()
      await prepareSession(client, this.#target, { read_only: true, ...short })
    } catch (error) {
      this.#lastError = error
      await client.end()
      throw error
    }
    this.#client = client
    return client
  }

  /** Purges the connection (once) and tries for a new one in the background. */
  #lost(client: pg.Client, error?: unknown): void {
    if (error !== undefined) this.#lastError = error
    if (this.#client !== client || this.#closing.signal.aborted) return
    this.#client = null
    void this.#reconnect()
  }

  async #reconnect(): Promise<void> {
    const options = { ref: false, signal: this.#closing.signal }
    for (let failures = 1; ; failures += 1) {
      const wait_ms = withJitter(backoffMs(failures, reconnect))
      try {
        await this.#ready()
        return
      } catch {
        // #lastError has it, and every request meanwhile fails with it.
      }
      if (this.#closing.signal.aborted) return
      await sleep(wait_ms, undefined, options).catch(() => undefined)
    }
  }

  /** The connection, or the attempt in progress, or a new attempt. */
  #ready(): Promise<pg.Client> {
    if (this.#closing.signal.aborted)
      return Promise.reject(new DatabaseUnavailable('The database client is closed.'))
    if (this.#client) return Promise.resolve(this.#client)
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null
    })
    return this.#connecting
  }

  async query<R extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<pg.QueryResult<R>> {
    this.in_flight += 1
    try {
      const client = await this.#ready()
      try {
        return await client.query<R>(config)
      } catch (error) {
        if (kindOfError(error) !== 'stale') throw error
        // Plans from before a migration cannot be dropped one by one: leave them with their
        // connection.
        this.#lost(client, error)
        void client.end()
        return await (await this.#ready()).query<R>(config)
      }
    } catch (error) {
      throw translateError(error, this.#target.url)
    } finally {
      this.in_flight -= 1
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const pending = await this.#connecting?.catch(() => null)
    await (this.#client ?? pending)?.end()
    this.#client = null
  }

  get last_error(): string | null {
    return this.#client || this.#lastError === null ? null : messageOf(this.#lastError)
  }
}

/** The shared connections; a statement takes the least busy one. */
export class Readers {
  #readers: Reader[]

  constructor(target: Target, count: number, timeout_ms?: number) {
    this.#readers = Array.from({ length: count }, () => new Reader(target, timeout_ms))
  }

  async query<R extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<pg.QueryResult<R>> {
    const least = this.#readers.reduce((a, b) => (b.in_flight < a.in_flight ? b : a))
    return await least.query<R>(config)
  }

  async close(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.close()))
  }
}
