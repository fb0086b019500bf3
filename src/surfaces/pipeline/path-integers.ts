// Integers in paths beyond those that a number holds exactly, which are the ids of no object.

/**
 * The text of an integer in a path, which names an object. An integer that no number holds exactly
 * names none, so the greatest safe one stands for it, which the operation reports as absent (404).
 */
export function presentId(value: string | string[]): string | string[] {
  if (Array.isArray(value) || !/^-?[1-9][0-9]{15,}$/.test(value)) return value
  if (Number.isSafeInteger(Number(value))) return value
  return String(value.startsWith('-') ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER)
}

/** The same for a number in the arguments of a tool. */
export function presentNumber(value: unknown): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value)) return value
  return Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
}
