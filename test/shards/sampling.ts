// A run takes a share of a class whose cases all run the same code. The share changes by the day,
// so that every case has its turn. EVERY_CASE=true takes all of them.

const day = Math.floor(Date.now() / 86_400_000)

/** One of `share` cases, at least one. `turn` spreads the shares of classes that are alike. */
export function sampleOf<T>(cases: readonly T[], share: number, turn = 0): readonly T[] {
  if (process.env.EVERY_CASE === 'true') return cases
  const taken = cases.filter((_, index) => (index + turn + day) % share === 0)
  return taken.length > 0 ? taken : cases.slice(0, 1)
}
