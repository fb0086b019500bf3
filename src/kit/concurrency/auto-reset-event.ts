// Auto-reset event with timeout: a signal sent while nothing waits is retained for the next wait.

export class AutoResetEvent {
  #signalled = false
  #wake: (() => void) | null = null

  signal(): void {
    this.#signalled = true
    this.#wake?.()
  }

  /** Whether it was signalled since the last reset. */
  reset(): boolean {
    const signalled = this.#signalled
    this.#signalled = false
    return signalled
  }

  /**
   * Waits until it is signalled or `ms` have passed, and not at all if it was signalled already.
   */
  async wait(ms: number): Promise<void> {
    if (this.#signalled) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = null
  }
}

const unending = new AbortController().signal

/** The signal of work that nothing ends early. */
export const neverAborted = (): AbortSignal => unending
