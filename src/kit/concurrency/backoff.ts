// Exponential backoff with a cap, and equal jitter: half of a wait is fixed, half is random, so
// that clients which failed together do not retry together.
import { type Chance, systemChance } from '../clock.ts'

export type BackoffRange = {
  /** After the first failure; doubles with each further one. */
  first_ms: number
  longest_ms: number
}

/** Milliseconds to wait after so many failures in a row; 0 before the first. */
export function backoffMs(failures: number, { first_ms, longest_ms }: BackoffRange): number {
  return failures < 1 ? 0 : Math.min(longest_ms, first_ms * 2 ** (failures - 1))
}

/** Between half of a wait and all of it. */
export function withJitter(ms: number, chance: Chance = systemChance): number {
  return ms * (0.5 + chance() / 2)
}
