// LISTEN: one connection for all channels, which reconnects automatically and reports the gap.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type BackoffRange, backoffMs, withJitter } from '../../kit/concurrency/backoff.ts'
import { type Target, translateError } from './connection.ts'
import { clientConfig } from './connection-config.ts'
import { DatabaseUnavailable } from './errors.ts'

const reconnect: BackoffRange = { first_ms: 50, longest_ms: 2_000 }
// This notices a peer that vanished silently, long before TCP's two hours.
const ping_every_ms = 10_000
const ping_timeout_ms = 5_000

export type ChannelListener = {
  /** Called with the payload (at most 8000 octets: send ids, and read the rest). */
  notified: (payload: string) => void
  /** Called after a gap in which notifications were lost, so that their contents are read again. */
  reconnected: () => void
}

export class Listener {
  #target: Target
  #client: pg.Client | null = null
  #connecting: Promise<pg.Client> | null = null
  #channels = new Map<string, Set<ChannelListener>>()
  #closing = new AbortController()

  constructor(target: Target) {
    this.#target = target
  }

  /**
   * Listens to a channel from now on; the returned function ends it. Rejects when there is no first
   * connection.
   */
  async listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>> {
    if (this.#closing.signal.aborted)
      throw new DatabaseUnavailable('The database client is closed.')
    const listeners = this.#channels.get(channel) ?? new Set<ChannelListener>()
    this.#channels.set(channel, listeners.add(listener))
    try {
      const client = await this.#ready()
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      listeners.delete(listener)
      throw translateError(error, this.#target.url)
    }
    return async () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      this.#channels.delete(channel)
      // A lost connection gets no notifications; the next one will not ask for this channel.
      await this.#client?.query(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => undefined)
    }
  }

  #ready(): Promise<pg.Client> {
    if (this.#client) return Promise.resolve(this.#client)
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null
    })
    return this.#connecting
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...clientConfig(this.#target.url),
      query_timeout: ping_timeout_ms,
      pipeline: true,
    })
    client.on('error', () => this.#lost(client))
    client.on('end', () => this.#lost(client))
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#channels.get(channel) ?? []) listener.notified(payload ?? '')
    })
    try {
      await client.connect()
      for (const channel of this.#channels.keys())
        await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      await client.end()
      throw error
    }
    this.#client = client
    void this.#ping(client)
    return client
  }

  async #ping(client: pg.Client): Promise<void> {
    const options = { ref: false, signal: this.#closing.signal }
    while (this.#client === client && !this.#closing.signal.aborted) {
      await sleep(ping_every_ms, undefined, options).catch(() => undefined)
      if (this.#client !== client || this.#closing.signal.aborted) return
      // A pipelined client that gets no answer in time destroys its connection, which #lost
      // handles.
      await client.query('select 1').catch(() => this.#lost(client))
    }
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return
    this.#client = null
    if (!this.#closing.signal.aborted) void this.#reconnect()
  }

  async #reconnect(): Promise<void> {
    const options = { ref: false, signal: this.#closing.signal }
    for (let failures = 1; ; failures += 1) {
      const wait_ms = withJitter(backoffMs(failures, reconnect))
      await sleep(wait_ms, undefined, options).catch(() => undefined)
      if (this.#closing.signal.aborted) return
      try {
        await this.#ready()
        for (const listeners of this.#channels.values())
          for (const listener of listeners) listener.reconnected()
        return
      } catch {
        // It is tried again until it is closed; requests meanwhile fail on their own connections.
      }
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const pending = await this.#connecting?.catch(() => null)
    await (this.#client ?? pending)?.end()
    this.#client = null
  }
}
