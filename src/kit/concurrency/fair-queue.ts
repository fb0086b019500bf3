// Bounded-concurrency executor with fair queueing: callers wait by class and by key. Classes take
// turns, and so do the keys of a class, so that many callers of one key delay no other key.
import { Overloaded } from './semaphore.ts'

/** Each class has a queue of its own; one key of a class runs one piece of work at a time. */
export type QueueKey<C extends string> = { class: C; key: string }
type Waiter = { start: () => void; refuse: (error: Overloaded) => void }
type Next = { name: string; waiter: Waiter }

export class FairQueue<C extends string> {
  readonly #limits: { concurrency: number; waiting: number }
  readonly #classes: readonly C[]
  readonly #queues = new Map<C, ClassQueue>()
  /** The keys whose work runs. */
  readonly #busy = new Set<string>()
  /** Index of the class whose turn is next. */
  #turn = 0

  /** `waiting` is the most that wait in each class. */
  constructor({ classes, ...limits }: { classes: C[]; concurrency: number; waiting: number }) {
    this.#limits = limits
    this.#classes = classes
    for (const one of classes) this.#queues.set(one, new ClassQueue())
  }

  /**
   * Runs the work when it is its key's turn, in order of arrival within the key. Rejects with
   * Overloaded where the queue of its class is full; the last waiter of the longest key is refused
   * instead where that key would still be the longer one.
   */
  async run<T>({ class: of, key }: QueueKey<C>, work: () => Promise<T>): Promise<T> {
    const name = `${of} ${key}`
    // Whenever a permit is free, no waiter could use it.
    if (this.#busy.size < this.#limits.concurrency && !this.#busy.has(name)) this.#busy.add(name)
    else await this.#wait(of, name)
    try {
      return await work()
    } finally {
      this.#handOver(name)
    }
  }

  async #wait(of: C, name: string): Promise<void> {
    const queue = this.#queues.get(of)
    if (!queue) throw new Error(`No class ${of}`)
    if (queue.size >= this.#limits.waiting && !queue.displaceFor(name)) throw new Overloaded()
    await new Promise<void>((start, refuse) => queue.add(name, { start, refuse }))
  }

  /** Hands the permit to another key, if one waits. */
  #handOver(name: string): void {
    let next = this.#take()
    this.#busy.delete(name)
    next ??= this.#take()
    if (!next) return
    this.#busy.add(next.name)
    next.waiter.start()
  }

  #take(): Next | undefined {
    const count = this.#classes.length
    for (let step = 0; step < count; step += 1) {
      const index = (this.#turn + step) % count
      const of = this.#classes[index]
      const next = of === undefined ? undefined : this.#queues.get(of)?.take(this.#busy)
      if (!next) continue
      this.#turn = (index + 1) % count
      return next
    }
    return undefined
  }
}

/** The waiters of one class by key, in the order of the keys' turns. No key is without a waiter. */
class ClassQueue {
  readonly #keys = new Map<string, Waiter[]>()
  size = 0

  add(name: string, waiter: Waiter): void {
    const waiters = this.#keys.get(name)
    if (waiters) waiters.push(waiter)
    else this.#keys.set(name, [waiter])
    this.size += 1
  }

  /** The first waiter of the next key that is not busy; then that key's turn is the last. */
  take(busy: ReadonlySet<string>): Next | undefined {
    for (const [name, waiters] of this.#keys) {
      if (busy.has(name)) continue
      const waiter = waiters.shift()
      this.#keys.delete(name)
      if (waiters.length > 0) this.#keys.set(name, waiters)
      if (!waiter) continue
      this.size -= 1
      return { name, waiter }
    }
    return undefined
  }

  /** Refuses the last waiter of the longest key, if this key would still be shorter. */
  displaceFor(name: string): boolean {
    let longest: Waiter[] = []
    for (const waiters of this.#keys.values())
      if (waiters.length > longest.length) longest = waiters
    const own = this.#keys.get(name)?.length ?? 0
    if (longest.length <= own + 1) return false
    longest.pop()?.refuse(new Overloaded())
    this.size -= 1
    return true
  }
}
