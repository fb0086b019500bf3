// Comparisons of amounts, which are decimal strings and never become floating point.

export function isZero(amount: string): boolean {
  return !/[1-9]/.test(amount)
}
