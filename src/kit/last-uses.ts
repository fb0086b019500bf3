// Write-behind of the times of last use: calls note them in memory, and a job writes many in one
// statement.

/** The uses since the last flush, by id. */
export class LastUses<Id> {
  readonly #times = new Map<Id, Date>()

  get size(): number {
    return this.#times.size
  }

  note(id: Id, at: Date): void {
    this.#times.set(id, at)
  }

  /** Those that `write` could not write are kept, unless a later use came meanwhile. */
  async flush(write: (ids: Id[], times: Date[]) => Promise<unknown>): Promise<void> {
    if (this.#times.size === 0) return
    const taken = [...this.#times]
    this.#times.clear()
    try {
      await write(
        taken.map(([id]) => id),
        taken.map(([, at]) => at),
      )
    } catch (error) {
      for (const [id, at] of taken) if (!this.#times.has(id)) this.#times.set(id, at)
      throw error
    }
  }
}
