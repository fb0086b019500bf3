// Exponential backoff with a cap, and jitter: a share of a wait is random, so that clients which
// failed together do not retry together. As a rule it is half of the wait (equal jitter).
import { type Chance, systemChance } from '../clock.ts'

export type BackoffRange = {
  /** The wait after the first failure; it doubles with each further one. */
  first_ms: number
  longest_ms: number
}

/** Milliseconds to wait after so many failures in a row; 0 before the first. */
export function backoffMs(failures: number, { first_ms, longest_ms }: BackoffRange): number {
  return failures < 1 ? 0 : Math.min(longest_ms, first_ms * 2 ** (failures - 1))
}

/** A wait from which chance takes up to `share`. */
export function withJitter(
  ms: number,
  { share = 0.5, chance = systemChance }: { share?: number; chance?: Chance } = {},
): number {
  return ms * (1 - share * chance())
}
