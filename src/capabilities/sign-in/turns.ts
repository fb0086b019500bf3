// A bounded queue: dear work runs a few at a time, some wait, and the rest is told to come back.

/** The queue is full; nothing was done. */
export class NoTurn extends Error {
  constructor() {
    super('Too many wait already')
    this.name = 'NoTurn'
  }
}

export class Turns {
  readonly #limits: { running: number; waiting: number }
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(limits: { running: number; waiting: number }) {
    this.#limits = limits
  }

  /** Runs the work when it is its turn, first come first served. Rejects with NoTurn. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.running) this.#running += 1
    else if (this.#waiting.length >= this.#limits.waiting) throw new NoTurn()
    // Whoever ends hands the turn over, so nobody new comes between.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }
}
