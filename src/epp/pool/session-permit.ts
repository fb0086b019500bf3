// The right to hold one session, where several nodes share the limit that a registry sets.

export type Slot = {
  /** Aborted when the right has ended: the session ends at once, whatever runs on it. */
  lost: AbortSignal
  /** The session is over. */
  release: () => void
}

/** Whom a slot is for, as its lender sees it. */
export type Borrower = {
  /** How many sessions more the pool could use now, this one among them. */
  wanted: () => number
  /** Aborted when the pool closes and wants none. */
  closing: AbortSignal
  /** For how long the session has had no command; null while one runs, or it is being opened. */
  idleMs: () => number | null
  /** Another node has a better claim: the session ends as soon as no command runs on it. */
  giveUp: () => void
}

/**
 * Waits for a slot as long as one is wanted. Null: none was free, and now none is wanted any more.
 */
export type AcquireSlot = (borrower: Borrower) => Promise<Slot | null>
