// The times that DNS answers are kept, in the words of the reader's language.
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** A time in the largest unit without a remainder, such as "1 hour" or "90 seconds". */
export function formatTtl(seconds: number): string {
  const [unit, length] = units.find(([, one]) => seconds % one === 0) ?? ['second', 1]
  const format = new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(seconds / length)
}

export const usualTtls: readonly number[] = [60, 300, 3_600, 14_400, 86_400]
