// A seeded random generator: the same seed makes the same run.

export type Chance = {
  /** A number from 0 to below 1. */
  next: () => number
  /** A whole number from 0 to below `most`. */
  below: (most: number) => number
  pick: <T>(items: readonly T[]) => T
  shuffled: <T>(items: readonly T[]) => T[]
}

/** The generator "mulberry32": 32 bits of state, good enough for shuffling. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number) => Math.floor(next() * most)
  const pick = <T>(items: readonly T[]): T => {
    const item = items[below(items.length)]
    if (item === undefined) throw new RangeError('Nothing to pick from')
    return item
  }
  const shuffled = <T>(items: readonly T[]): T[] => {
    const mixed = items.map((item) => ({ item, at: next() }))
    return mixed.sort((a, b) => a.at - b.at).map(({ item }) => item)
  }
  return { next, below, pick, shuffled }
}
