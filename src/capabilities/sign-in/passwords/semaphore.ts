// How many of one kind may be under way at once: beyond that they are sent away, with nothing done.
import { NoTurn } from './fair-queue.ts'

/** At most `most` hold the seats of this key at a time. */
export type Seat = { key: string; most: number }

export class Seats {
  readonly #held = new Map<string, number>()

  /** Runs the work with a seat of each key. Rejects with NoTurn where one has none left. */
  async hold<T>(seats: readonly Seat[], work: () => Promise<T>): Promise<T> {
    if (seats.some(({ key, most }) => this.#count(key) >= most)) throw new NoTurn()
    for (const { key } of seats) this.#held.set(key, this.#count(key) + 1)
    try {
      return await work()
    } finally {
      for (const { key } of seats) {
        const left = this.#count(key) - 1
        if (left > 0) this.#held.set(key, left)
        else this.#held.delete(key)
      }
    }
  }

  #count(key: string): number {
    return this.#held.get(key) ?? 0
  }
}
