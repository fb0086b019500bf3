// The clock that the service goes by; a test may bring one that jumps.

export type Clock = { now: () => Date }

export const systemClock: Clock = { now: () => new Date() }
