// Amounts: US cents internally, and decimal strings on the wire.

/** Cents as a decimal string: 959 is '9.59'. */
export function formatCents(cents: number): string {
  return (cents / 100).toFixed(2)
}

/** The cents of a decimal with at most two significant places, or null for any other text. */
export function parseCents(text: string): number | null {
  const match = /^\+?(\d{1,9})(?:\.(\d{1,2})0*)?$/.exec(text)
  return match === null ? null : Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}
