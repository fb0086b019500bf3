// Money is bigint minor units and a currency inside, and decimal strings outside. It is never a
// float.

export const currencies = ['USD', 'EUR'] as const
export type Currency = (typeof currencies)[number]

/** Both currencies have two decimals; a currency with another exponent needs a table here. */
const minorUnitsPerUnit = 100n

/**
 * Reads "12", "12.3" or "12.34" as minor units. Undefined for anything else: signs, exponents, more
 * than two decimals, leading zeros, other digits, or 10^13 units and more (PostgreSQL's bigint
 * leaves space for sums). Nothing is rounded silently.
 */
export function parseAmount(text: string): bigint | undefined {
  const match = /^(0|[1-9][0-9]{0,12})(?:\.([0-9]{1,2}))?$/.exec(text)
  if (!match) return undefined
  const units = BigInt(match[1] ?? '0')
  const cents = BigInt((match[2] ?? '').padEnd(2, '0'))
  return units * minorUnitsPerUnit + cents
}

/** Reads as `parseAmount` does, for a text that its schema (`amountGiven`) has accepted already. */
export function amountOf(text: string): bigint {
  const amount = parseAmount(text)
  if (amount === undefined) throw new Error(`"${text}" is no amount, though its schema took it`)
  return amount
}

/**
 * Reads a decimal text of another system as minor units: it may have a plus sign, zeros in front
 * and any number of decimals (xs:decimal). Undefined for a number that is negative or not exact in
 * minor units.
 */
export function parseDecimal(text: string): bigint | undefined {
  const parts = /^\+?0*([0-9]+)(?:\.([0-9]{0,2})0*)?$/.exec(text.trim())
  if (!parts) return undefined
  const [, units = '0', decimals = ''] = parts
  return parseAmount(decimals === '' ? units : `${units}.${decimals}`)
}

/** Minor units as a decimal string with exactly two decimals: -5n is "-0.05". */
export function formatAmount(amount: bigint): string {
  const sign = amount < 0n ? '-' : ''
  const absolute = amount < 0n ? -amount : amount
  const cents = String(absolute % minorUnitsPerUnit).padStart(2, '0')
  return `${sign}${absolute / minorUnitsPerUnit}.${cents}`
}

/**
 * The share of an amount in basis points (1 % = 100), rounded half up to a minor unit, such as a
 * margin on a cost. Both are zero or more.
 */
export function basisPoints(amount: bigint, points: bigint): bigint {
  return (amount * points + 5_000n) / 10_000n
}
