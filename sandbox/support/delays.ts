// Delayed work of the faults `slow` and `apply_later`, which a timer runs, or a test that releases
// it earlier.

export class Delays {
  readonly #delayed = new Map<NodeJS.Timeout, () => unknown>()

  /** Runs the work after the delay, unless it is released or closed before. */
  after(delay_ms: number, run: () => unknown): void {
    const timer = setTimeout(() => {
      this.#delayed.delete(timer)
      run()
    }, delay_ms)
    this.#delayed.set(timer, run)
  }

  /** Runs all work that is delayed now, in the order in which it was requested. */
  release(): void {
    const delayed = [...this.#delayed]
    this.close()
    for (const [, run] of delayed) run()
  }

  close(): void {
    for (const timer of this.#delayed.keys()) clearTimeout(timer)
    this.#delayed.clear()
  }
}
