// Times of the last use of this node's credentials: calls note them in memory, and
// flush-last-uses.job.ts writes many in one statement.

declare module '../../../app.ts' {
  interface App {
    lastUses: LastUsesByKind
  }
}

type LastUsesByKind = {
  api_keys: LastUses<bigint>
  sessions: LastUses<bigint>
  oauth_grants: LastUses<string>
}

/** Makes the state of one process. */
export function newLastUses(): LastUsesByKind {
  return { api_keys: new LastUses(), sessions: new LastUses(), oauth_grants: new LastUses() }
}

/** The times of one kind of credential that are not written yet. */
class LastUses<Id> {
  readonly #times = new Map<Id, Date>()

  get size(): number {
    return this.#times.size
  }

  note(id: Id, at: Date): void {
    this.#times.set(id, at)
  }

  /** The stored time, or a later one that is not written yet. */
  latest(id: Id, stored: Date | null): Date | null {
    const noted = this.#times.get(id)
    return noted && (stored === null || noted > stored) ? noted : stored
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
