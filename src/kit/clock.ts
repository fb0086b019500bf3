// Clocks and randomness as parameters. The service goes by the database's clock
// (src/db/postgres/database-clock.ts); a test may bring one that jumps.

export type Clock = { now: () => Date }

/**
 * This machine's. Nodes may disagree about it, so nothing that is stored or compared is read here.
 */
export const systemClock: Clock = { now: () => new Date() }

/** Milliseconds of this process, which no step of a clock moves: for durations alone. */
export function monotonicMs(): number {
  return performance.now()
}

/** 0 <= x < 1, for what is spread in time. Secrets come from secret.ts, identifiers from id.ts. */
export type Chance = () => number

export const systemChance: Chance = () => Math.random()
