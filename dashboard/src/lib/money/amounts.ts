// Sums and comparisons of amounts, exact: decimal strings become bigint minor units, and never
// floating point.
const form = /^(-?)(\d+)\.(\d{2})$/

function minorUnits(amount: string): bigint {
  const [, sign, units, cents] = form.exec(amount) ?? []
  if (units === undefined || cents === undefined) throw new Error(`"${amount}" is no amount.`)
  const value = BigInt(units + cents)
  return sign === '-' ? -value : value
}

function amountOf(minor: bigint): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0')
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export function sumOf(amounts: readonly string[]): string {
  return amountOf(amounts.reduce((sum, one) => sum + minorUnits(one), 0n))
}

/** By how much less is available than is needed; null where it suffices. */
export function shortfallOf(needed: string, available: string): string | null {
  const missing = minorUnits(needed) - minorUnits(available)
  return missing > 0n ? amountOf(missing) : null
}

export function isZero(amount: string): boolean {
  return minorUnits(amount) === 0n
}
