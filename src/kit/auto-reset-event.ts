// A wait that somebody may cut short; a ring while nobody waits is kept for the next wait.

export class Bell {
  #rung = false
  #answer: (() => void) | null = null

  ring(): void {
    this.#rung = true
    this.#answer?.()
  }

  /** Whether it rang since the last take. */
  take(): boolean {
    const rung = this.#rung
    this.#rung = false
    return rung
  }

  /** Until it rings, or `ms` have passed; at once when it rang already. */
  async wait(ms: number): Promise<void> {
    if (this.#rung) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#answer = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#answer = null
  }
}
