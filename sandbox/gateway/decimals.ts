// Decimal strings and integers of base units, exact for any number of decimals.

/** For example, 123456n with 6 decimals is '0.123456', and 5000000n is '5'. */
export function formatUnits(units: bigint, decimals: number): string {
  const sign = units < 0n ? '-' : ''
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return sign + (fraction === '' ? whole : `${whole}.${fraction}`)
}

/** Null if the text is not a plain decimal, is negative, or is finer than the base unit. */
export function parseUnits(text: string, decimals: number): bigint | null {
  const parts = /^([0-9]{1,40})(?:\.([0-9]{1,40}))?$/.exec(text)
  if (parts === null) return null
  const fraction = (parts[2] ?? '').replace(/0+$/, '')
  if (fraction.length > decimals) return null
  return BigInt(`${parts[1]}${fraction.padEnd(decimals, '0')}`)
}

/** Integer division, rounded up. */
export function divideCeiling(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}
