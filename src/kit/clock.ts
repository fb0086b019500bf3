// A clock as a parameter. The service goes by the database's (src/db/clock.ts); a test may bring
// one that jumps.

export type Clock = { now: () => Date }

/**
 * This machine's. Nodes may disagree about it, so nothing that is stored or compared is read here.
 */
export const systemClock: Clock = { now: () => new Date() }
