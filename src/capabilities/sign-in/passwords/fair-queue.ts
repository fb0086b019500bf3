// Dear work runs a few at a time. Who waits for it stands in one of two lines, and in a lane of
// that: each lane has its turn, so a crowd in one of them is in nobody else's way.

/** There is no room to wait; nothing was done. */
export class NoTurn extends Error {
  constructor() {
    super('Too many wait already')
    this.name = 'NoTurn'
  }
}

/** `known`: whoever we know waits apart, where strangers take no room. */
export type Place = { line: 'known' | 'stranger'; lane: string }
type Called = { name: string; waiter: Waiter }
type Waiter = { start: () => void; sendAway: (error: NoTurn) => void }

export class Turns {
  readonly #limits: { running: number; waiting: number }
  readonly #lines = { known: new Line(), stranger: new Line() }
  /** Of the lanes whose work runs: one at a time of each. */
  readonly #busy = new Set<string>()
  #next: Place['line'] = 'known'

  /** `waiting`: in each line. */
  constructor(limits: { running: number; waiting: number }) {
    this.#limits = limits
  }

  /**
   * Runs the work when it is its lane's turn, first come first served within the lane. Rejects with
   * NoTurn where its line is full of others who wait for no more; the last of the longest lane
   * makes room for who is alone.
   */
  async take<T>({ line, lane }: Place, work: () => Promise<T>): Promise<T> {
    const name = `${line} ${lane}`
    // Whenever a turn is free, nobody waits who could have it.
    if (this.#busy.size < this.#limits.running && !this.#busy.has(name)) this.#busy.add(name)
    else await this.#wait(this.#lines[line], name)
    try {
      return await work()
    } finally {
      this.#handOver(name)
    }
  }

  async #wait(line: Line, name: string): Promise<void> {
    if (line.size >= this.#limits.waiting && !line.makeRoomFor(name)) throw new NoTurn()
    await new Promise<void>((start, sendAway) => line.join(name, { start, sendAway }))
  }

  /** To another lane, if one waits. */
  #handOver(name: string): void {
    let called = this.#call()
    this.#busy.delete(name)
    called ??= this.#call()
    if (!called) return
    this.#busy.add(called.name)
    called.waiter.start()
  }

  /** Who is next; the lines have their turns by turns too. */
  #call(): Called | undefined {
    const second = this.#next === 'known' ? 'stranger' : 'known'
    for (const line of [this.#next, second] as const) {
      const called = this.#lines[line].next(this.#busy)
      if (!called) continue
      this.#next = line === 'known' ? 'stranger' : 'known'
      return called
    }
    return undefined
  }
}

/** Lanes in the order of their turns. None of them is empty. */
class Line {
  readonly #lanes = new Map<string, Waiter[]>()
  size = 0

  join(name: string, waiter: Waiter): void {
    const lane = this.#lanes.get(name)
    if (lane) lane.push(waiter)
    else this.#lanes.set(name, [waiter])
    this.size += 1
  }

  /** The first of the next lane that is not busy; then that lane is the last. */
  next(busy: ReadonlySet<string>): Called | undefined {
    for (const [name, lane] of this.#lanes) {
      if (busy.has(name)) continue
      const waiter = lane.shift()
      this.#lanes.delete(name)
      if (lane.length > 0) this.#lanes.set(name, lane)
      if (!waiter) continue
      this.size -= 1
      return { name, waiter }
    }
    return undefined
  }

  /** Sends the last of the longest lane away, if this one would still be shorter. */
  makeRoomFor(name: string): boolean {
    let longest: Waiter[] = []
    for (const lane of this.#lanes.values()) if (lane.length > longest.length) longest = lane
    const own = this.#lanes.get(name)?.length ?? 0
    if (longest.length <= own + 1) return false
    longest.pop()?.sendAway(new NoTurn())
    this.size -= 1
    return true
  }
}
