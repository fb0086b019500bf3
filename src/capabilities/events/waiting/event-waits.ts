// Waits for events of a customer, in memory: a notification of PostgreSQL ends them. They hold no
// connection and no transaction.

import type { App } from '../../../app.ts'
import { Subscription } from '../../../db/database.ts'
import { KeyedSemaphore } from '../../../kit/concurrency/semaphore.ts'
import type { CustomerId } from '../../../kit/random.ts'

declare module '../../../app.ts' {
  interface App {
    eventWaits: EventWaits
  }
}

const most_of_customer = 5
const most_of_node = 2_000
/** The key of the node in the semaphore, which no customer has. */
const node = 'node'

/** One wait. It remembers a notification that comes while its caller looks. */
class Waiter {
  #woken = false
  #resume = () => {}

  wake(): void {
    this.#woken = true
    this.#resume()
  }

  async next(ms: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#woken && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, ms)
      this.#resume = resolve
      signal.addEventListener('abort', this.#resume, { once: true })
      await promise
      clearTimeout(timer)
      signal.removeEventListener('abort', this.#resume)
    }
    const woken = this.#woken
    this.#woken = false
    return woken
  }
}

type Place = {
  /** Whether an event came before the time was over, or the signal was aborted. */
  next: (ms: number, signal: AbortSignal) => Promise<boolean>
  /** To be called when the wait is over. */
  release: () => void
}

export class EventWaits {
  readonly #events: Subscription
  readonly #waiters = new Map<string, Set<Waiter>>()
  readonly #places = new KeyedSemaphore()
  #ended = false

  constructor({ db }: Pick<App, 'db'>) {
    const notified = (customers: string) => {
      for (const id of customers.split(' '))
        for (const one of this.#waiters.get(id) ?? []) one.wake()
    }
    this.#events = new Subscription(db, 'events', { notified, reconnected: () => this.#wakeAll() })
  }

  /** The number of waits at this node. */
  get size(): number {
    return this.#places.held(node)
  }

  /** Whether the node stops, so that nothing waits any more. */
  get ended(): boolean {
    return this.#ended
  }

  /** Undefined if the customer, or the node, has reached its limit of waits. */
  async enter(customer_id: CustomerId): Promise<Place | undefined> {
    const leave = this.#places.tryAcquire([
      { key: customer_id, limit: most_of_customer },
      { key: node, limit: most_of_node },
    ])
    if (!leave) return undefined
    const waiter = new Waiter()
    const own = this.#waiters.get(customer_id) ?? new Set()
    this.#waiters.set(customer_id, own.add(waiter))
    // Before the caller looks: a notification from now on ends its next wait.
    // Without a connection each wait looks again after some seconds.
    await this.#events.ensure().catch(() => undefined)
    return {
      next: (ms, signal) => (this.#ended ? Promise.resolve(false) : waiter.next(ms, signal)),
      release: () => {
        leave()
        own.delete(waiter)
        if (own.size === 0 && this.#waiters.get(customer_id) === own)
          this.#waiters.delete(customer_id)
      },
    }
  }

  /** Ends all waits of this node, as it stops. */
  end(): void {
    this.#ended = true
    this.#wakeAll()
  }

  #wakeAll(): void {
    for (const own of this.#waiters.values()) for (const one of own) one.wake()
  }
}
