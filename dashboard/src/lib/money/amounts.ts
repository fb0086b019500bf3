// Exact sums and comparisons of amounts: decimal strings become bigint minor units, never floating
// point.
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

/** The amount by which the available money falls short, or null if it suffices. */
export function shortfallOf(needed: string, available: string): string | null {
  const missing = minorUnits(needed) - minorUnits(available)
  return missing > 0n ? amountOf(missing) : null
}

export function isZero(amount: string): boolean {
  return minorUnits(amount) === 0n
}

/** A part as whole percent of a total, from 0 to 100. Of an empty total it is 100. */
export function shareOf(part: string, total: string): number {
  const whole = minorUnits(total)
  if (whole <= 0n) return 100
  const percent = Number((minorUnits(part) * 100n) / whole)
  return Math.min(100, Math.max(0, percent))
}

/**
 * The minor units of an amount as people write it: "25", "25.5" or "25,50". Anything else and zero
 * are null.
 */
export function centsOf(written: string): number | null {
  const [, units, decimals = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(written.trim()) ?? []
  if (units === undefined) return null
  const cents = Number(`${units}${decimals.padEnd(2, '0')}`)
  return cents > 0 ? cents : null
}

/** The amount for a number of minor units. */
export function amountOfCents(cents: number): string {
  return amountOf(BigInt(cents))
}

/**
 * The exact remainder of an amount of an asset, with any number of decimals, or null if nothing
 * remains.
 */
export function restOf(asked: string, received: string): string | null {
  const decimals = Math.max(...[asked, received].map((one) => one.split('.')[1]?.length ?? 0))
  const units = (amount: string) => {
    const [whole = '', part = ''] = amount.split('.')
    return BigInt(whole + part.padEnd(decimals, '0'))
  }
  const rest = units(asked) - units(received)
  if (rest <= 0n) return null
  const digits = String(rest).padStart(decimals + 1, '0')
  const part = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  return decimals === 0 || part === '' ? whole : `${whole}.${part}`
}
