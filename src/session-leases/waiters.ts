// One registry's sessions as this node sees them: who waits here for a slot, and what others wait
// for.

import type { Logger } from 'pino'
import type { Sql } from '../db/database.ts'
import type { Borrower, Slot } from '../epp/pool/session-permit.ts'
import { monotonicMs } from '../kit/clock.ts'
import { AutoResetEvent } from '../kit/concurrency/auto-reset-event.ts'
import { type Call, callOn } from './fair-share.ts'
import type { Loan, Loans } from './leases.ts'
import { buryNeighbours } from './process-liveness.ts'
import { endWait, readStandings, takeSlots } from './session-leases.sql.ts'

// A lost notification costs so much; the mark of a waiting node outlives a few.
const ask_again_ms = 500
const mark_ms = 2_000
const look_again_ms = 250

export type LineParts = {
  sql: Sql
  log: Pick<Logger, 'warn'>
  node: string
  registry: string
  /** Of all nodes together. */
  sessions: number
  lease_ms: number
  loans: Loans
}

type Waiting = { borrower: Borrower; resolve: (slot: Slot | null) => void }

export class Line {
  readonly #parts: LineParts
  readonly #waiting: Waiting[] = []
  readonly #freed = new AutoResetEvent()
  readonly #wanted = new AutoResetEvent()
  #serving: Promise<void> | null = null
  #sharing: Promise<void> | null = null
  #closed = false
  /** The database shows that this node waits. */
  #marked = false
  #troubled = false

  constructor(parts: LineParts) {
    this.#parts = parts
  }

  acquire(borrower: Borrower): Promise<Slot | null> {
    return new Promise((resolve) => {
      if (this.#closed) throw new Error('The session slots are closed')
      this.#waiting.push({ borrower, resolve })
      borrower.closing.addEventListener('abort', () => this.#freed.signal(), { once: true })
      this.#serving ??= this.#serve()
    })
  }

  /** A slot came free, or another node waits for one; which of both makes no difference. */
  hear(): void {
    this.#freed.signal()
    this.#wanted.signal()
    if (this.#closed || this.#sharing || this.#held().length === 0) return
    this.#sharing = this.#share()
  }

  /** Who waits gets none. */
  async close(): Promise<void> {
    this.#closed = true
    this.#freed.signal()
    this.#wanted.signal()
    await Promise.all([this.#serving, this.#sharing])
  }

  #held(): Loan[] {
    return this.#parts.loans.at(this.#parts.registry)
  }

  async #serve(): Promise<void> {
    // Those who ask in the same moment are served by one statement.
    await null
    for (;;) {
      this.#turnAway()
      if (this.#waiting.length === 0 && !this.#marked) break
      this.#freed.reset()
      if (this.#waiting.length === 0) await this.#withdraw()
      else {
        await this.#take()
        if (this.#waiting.length > 0) await this.#freed.wait(ask_again_ms)
      }
    }
    this.#serving = null
  }

  #turnAway(): void {
    const wanted = this.#closed ? 0 : (this.#waiting[0]?.borrower.wanted() ?? 0)
    for (const { resolve } of this.#waiting.splice(Math.max(0, wanted))) resolve(null)
  }

  async #take(): Promise<void> {
    const { sql, node, registry, sessions, lease_ms, loans } = this.#parts
    const count = this.#waiting.length
    const asked_ms = monotonicMs()
    const rows = await this.#trying(() =>
      sql.run(takeSlots, [registry, node, sessions, count, lease_ms, mark_ms]),
    )
    if (!rows) return
    this.#marked = rows.length < count
    for (const { loan, waited_for } of rows) {
      const next = this.#waiting.shift()
      if (!next) throw new Error('More session slots than were asked for')
      next.resolve(loans.add({ id: loan, registry, borrower: next.borrower }, asked_ms))
      // Who began to wait since the statement was told of us before we knew what we hold.
      if (waited_for || this.#wanted.reset()) this.hear()
    }
    if (this.#marked && (await this.#trying(() => buryNeighbours(sql, registry))))
      this.#freed.signal()
  }

  /** Unheard, the mark ends by itself. */
  async #withdraw(): Promise<void> {
    const { sql, node, registry } = this.#parts
    this.#marked = false
    await this.#trying(() => sql.run(endWait, [registry, node]))
  }

  /** As long as others wait: gives up what is due to them, one session at a time. */
  async #share(): Promise<void> {
    const { sql, registry, node, sessions } = this.#parts
    while (!this.#closed && this.#held().length > 0) {
      this.#wanted.reset()
      const standings = await this.#trying(() => sql.run(readStandings, [registry]))
      const waited = standings?.some((one) => one.node !== node && one.waited_ms !== null)
      if (!waited && !this.#wanted.reset()) break
      const call = callOn(standings ?? [], { node, sessions })
      if (call) this.#recall(call)
      await this.#wanted.wait(look_again_ms)
    }
    this.#sharing = null
  }

  #recall({ idle_ms, held_ms }: Call): void {
    const held = this.#held()
    // It ends with its command; then all is counted anew.
    if (held.some(({ recalled }) => recalled)) return
    const now = monotonicMs()
    const idle = held
      .filter(({ borrower }) => (borrower.idleMs() ?? -1) >= idle_ms)
      .sort((a, b) => (b.borrower.idleMs() ?? 0) - (a.borrower.idleMs() ?? 0))
    const busy = held
      .filter(({ taken_ms }) => held_ms !== null && now - taken_ms >= held_ms)
      .sort((a, b) => a.taken_ms - b.taken_ms)
    const chosen = idle[0] ?? busy[0]
    if (chosen) this.#parts.loans.recall(chosen)
  }

  /** Undefined while the database is away; said once. */
  async #trying<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await ask()
      this.#troubled = false
      return answer
    } catch (err) {
      const { log, registry } = this.#parts
      if (!this.#troubled) log.warn({ err, registry }, 'the session slots cannot be asked')
      this.#troubled = true
      return undefined
    }
  }
}
