// Comparisons and sums of amounts, which are decimal strings and never become floating point.

export function isZero(amount: string): boolean {
  return !/[1-9]/.test(amount)
}

/** Exact, by integers of the last decimal: "10.85" and "9.1" make "19.95". */
export function sumOf(amounts: readonly string[]): string {
  const decimals = Math.max(0, ...amounts.map((amount) => (amount.split('.')[1] ?? '').length))
  const total = amounts.reduce((sum, amount) => sum + unitsOf(amount, decimals), 0n)
  const sign = total < 0n ? '-' : ''
  const digits = String(total < 0n ? -total : total).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`
}

function unitsOf(amount: string, decimals: number): bigint {
  const [whole = '0', part = ''] = amount.split('.')
  return BigInt(whole + part.padEnd(decimals, '0'))
}
