// A session that a pool holds, and its seat, which is there from before the session is opened.
import type { Session } from '../session/session.ts'
import type { AcquireSlot, Borrower, Slot } from './session-permit.ts'

export type Limits = { max_commands: number; max_age_ms: number }

/** A slot's place in the pool. `leaving`: its session is to be closed before its next command. */
export class Seat {
  member: Member | null = null
  leaving = false

  /** Null when no slot came while one was wanted. Without `acquire` there are slots enough. */
  async takeSlot(acquire: AcquireSlot | undefined, borrower: Borrower): Promise<Slot | null> {
    if (!acquire) return { lost: new AbortController().signal, release: () => {} }
    const slot = await acquire(borrower)
    if (!slot || borrower.wanted() > 0) return slot
    // What it was for was done meanwhile, or is refused by now.
    slot.release()
    return null
  }
}

export class Member {
  readonly session: Session
  readonly slot: Slot
  readonly seat: Seat
  readonly #born_ms: number
  /** When its last command ended; a hello is none. */
  used_ms: number
  idle = false
  timer: NodeJS.Timeout | null = null

  constructor(session: Session, { slot, seat }: { slot: Slot; seat: Seat }, now_ms: number) {
    this.session = session
    this.slot = slot
    this.seat = seat
    this.#born_ms = now_ms
    this.used_ms = now_ms
  }

  mustGo(now_ms: number, { max_commands, max_age_ms }: Limits): boolean {
    const worn = this.session.commands >= max_commands || now_ms - this.#born_ms >= max_age_ms
    return worn || this.seat.leaving
  }

  endTimer(): void {
    if (this.timer) clearTimeout(this.timer)
  }
}
