// A wait queue in order of priority, then of arrival, which is bounded in number and in time.

export type PriorityQueueOptions<P extends string> = {
  /** The priorities, beginning with the most urgent. */
  priorities: readonly P[]
  limit: number
  wait_ms: number
}
export type Refusal =
  | 'full'
  /** Something more urgent took its place. */
  | 'displaced'
  /** Nothing took it within `wait_ms`. */
  | 'late'

export class PriorityQueue<P extends string, T extends { priority: P }> {
  readonly #options: PriorityQueueOptions<P>
  readonly #refuse: (item: T, refusal: Refusal) => void
  readonly #items = new Map<P, T[]>()
  readonly #timers = new Map<T, NodeJS.Timeout>()

  /** `refuse` is called with each item that leaves the queue in another way than by `take`. */
  constructor(options: PriorityQueueOptions<P>, refuse: (item: T, refusal: Refusal) => void) {
    this.#options = options
    this.#refuse = refuse
    for (const priority of options.priorities) this.#items.set(priority, [])
  }

  get length(): number {
    return this.#timers.size
  }

  /**
   * A full queue refuses the item, or, when something less urgent waits, the youngest of that. With
   * `first` it goes ahead of its equals.
   */
  add(item: T, { first }: { first: boolean } = { first: false }): void {
    if (this.length >= this.#options.limit && !this.#displace(item.priority)) {
      this.#refuse(item, 'full')
      return
    }
    const equals = this.#of(item.priority)
    if (first) equals.unshift(item)
    else equals.push(item)
    this.#timers.set(
      item,
      setTimeout(() => this.#remove(item, 'late'), this.#options.wait_ms),
    )
  }

  /** The most urgent, oldest item. */
  take(): T | undefined {
    for (const priority of this.#options.priorities) {
      const item = this.#of(priority).shift()
      if (!item) continue
      this.#endTimer(item)
      return item
    }
    return undefined
  }

  /** Takes all that wait. */
  *drain(): Generator<T> {
    for (let item = this.take(); item; item = this.take()) yield item
  }

  #displace(priority: P): boolean {
    for (const less of this.#options.priorities.toReversed()) {
      if (less === priority) return false
      const youngest = this.#of(less).at(-1)
      if (!youngest) continue
      this.#remove(youngest, 'displaced')
      return true
    }
    return false
  }

  #remove(item: T, refusal: Refusal): void {
    const equals = this.#of(item.priority)
    equals.splice(equals.indexOf(item), 1)
    this.#endTimer(item)
    this.#refuse(item, refusal)
  }

  #endTimer(item: T): void {
    clearTimeout(this.#timers.get(item))
    this.#timers.delete(item)
  }

  #of(priority: P): T[] {
    return this.#items.get(priority) ?? []
  }
}
