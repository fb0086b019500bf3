// Decimal strings of external systems as integers of base units, and back: exact, or not at all.

/**
 * "0.015" with 6 decimals is 15000n, and zeros at the end are no loss. It is undefined for signs,
 * exponents, other digits and values finer than a base unit, so that nothing is rounded silently.
 */
export function parseDecimalUnits(text: string, decimals: number): bigint | undefined {
  const parts = /^([0-9]{1,60})(?:\.([0-9]{1,60}))?$/.exec(text)
  if (!parts) return undefined
  const fraction = (parts[2] ?? '').replace(/0+$/, '')
  if (fraction.length > decimals) return undefined
  return BigInt(`${parts[1]}${fraction.padEnd(decimals, '0')}`)
}

/** An exact fraction: "65123.45" is 6512345n over 100n. It is also undefined for zero. */
export function parseRate(text: string): { numerator: bigint; denominator: bigint } | undefined {
  const digits = /\.([0-9]*?)0*$/.exec(text)?.[1]?.length ?? 0
  const numerator = parseDecimalUnits(text, digits)
  if (numerator === undefined || numerator === 0n) return undefined
  return { numerator, denominator: 10n ** BigInt(digits) }
}

/** 15000n with 6 decimals is "0.015": exact, without zeros at the end. */
export function formatUnits(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
