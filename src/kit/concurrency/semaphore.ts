// Counting semaphores, which bound how much work runs at once. Callers beyond the limit are
// refused, or wait in a bounded queue.
import { PriorityQueue, type PriorityQueueOptions, type Refusal } from './priority-queue.ts'

/** There was no permit and no place in the queue for one. Nothing was done. */
export class Overloaded extends Error {
  constructor(message = 'Too many are already waiting') {
    super(message)
    this.name = 'Overloaded'
  }
}

/** Gives a permit back; further calls do nothing. */
export type Release = () => void

const reasons: Record<Refusal, string> = {
  full: 'Too many are already waiting',
  displaced: 'Gave way to something more urgent',
  late: 'Waited too long',
}

type Waiter<P> = {
  priority: P
  resolve: (release: Release) => void
  reject: (error: Error) => void
}

/** One limit. Waiting callers get a permit by priority, then in the order in which they came. */
export class Semaphore<P extends string> {
  readonly #limit: number
  readonly #queue: PriorityQueue<P, Waiter<P>>
  #running = 0
  #idle: (() => void)[] = []

  constructor({ limit, queue }: { limit: number; queue: PriorityQueueOptions<P> }) {
    this.#limit = limit
    this.#queue = new PriorityQueue(queue, ({ reject }, refusal) =>
      reject(new Overloaded(reasons[refusal])),
    )
  }

  get running(): number {
    return this.#running
  }

  get queued(): number {
    return this.#queue.length
  }

  /** Rejects with Overloaded where the queue is full, or no permit came in time. */
  acquire(priority: P): Promise<Release> {
    if (this.#running < this.#limit) {
      this.#running += 1
      return Promise.resolve(this.#permit())
    }
    return new Promise((resolve, reject) => this.#queue.add({ priority, resolve, reject }))
  }

  /** Resolves once no permit is held. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #permit(): Release {
    let held = true
    return () => {
      if (!held) return
      held = false
      const next = this.#queue.take()
      if (next) next.resolve(this.#permit())
      else this.#running -= 1
      if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve()
    }
  }
}

/** At most `limit` permits of this key are held at a time. */
type Permit = { key: string; limit: number }

/**
 * Many limits, each with a key. Nothing waits for them: a caller without a permit is refused at
 * once.
 */
export class KeyedSemaphore {
  readonly #held = new Map<string, number>()

  /** Takes a permit of each key, or none at all: it is undefined if one of them has none left. */
  tryAcquire(permits: readonly Permit[]): Release | undefined {
    if (permits.some(({ key, limit }) => this.held(key) >= limit)) return undefined
    for (const { key } of permits) this.#held.set(key, this.held(key) + 1)
    let held = true
    return () => {
      if (!held) return
      held = false
      for (const { key } of permits) {
        const left = this.held(key) - 1
        if (left > 0) this.#held.set(key, left)
        else this.#held.delete(key)
      }
    }
  }

  /** Runs the work with a permit of each key. Rejects with Overloaded where one has none left. */
  async run<T>(permits: readonly Permit[], work: () => Promise<T>): Promise<T> {
    const release = this.tryAcquire(permits)
    if (!release) throw new Overloaded()
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** Permits of the key that are held. */
  held(key: string): number {
    return this.#held.get(key) ?? 0
  }
}
