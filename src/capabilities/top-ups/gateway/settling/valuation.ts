// Values base units of a coin in minor units: integers alone, rounded down once for each payment
// (decision 53).

/** A rate: this number of base units for this number of cents. */
export type Ratio = { units: bigint; cents: bigint }

/** One fraction over a common denominator, so that two parts are rounded once. */
function worthAt(parts: readonly { amount: bigint; at: Ratio }[]): bigint {
  let [numerator, denominator] = [0n, 1n]
  for (const { amount, at } of parts) {
    numerator = numerator * at.units + amount * at.cents * denominator
    denominator *= at.units
  }
  return numerator / denominator
}

type Valued = {
  amount: bigint
  /**
   * The rest of the amount that the frozen quote covers, or null if it covers all of any payment.
   */
  covered: bigint | null
  frozen: Ratio
  /** The rate when it was confirmed, or null if it was not requested yet. */
  rate: Ratio | null
}

/** `rate` if it is worth more than the frozen quote covers, so that a present quote is needed. */
type Valuation = { cents: bigint; quoted_amount: bigint } | 'rate'

/**
 * A frozen quote of a coin whose price moves covers only the requested amount. If it covered any
 * amount, it would be a free option for the payer.
 */
export function valuation({ amount, covered, frozen, rate }: Valued): Valuation {
  const quoted_amount = covered === null || amount < covered ? amount : covered
  const rest = amount - quoted_amount
  const quoted = { amount: quoted_amount, at: frozen }
  const cents = worthAt([quoted])
  if (rest === 0n || worthAt([{ amount: rest, at: frozen }]) === 0n) return { cents, quoted_amount }
  if (rate === null) return 'rate'
  return { cents: worthAt([quoted, { amount: rest, at: rate }]), quoted_amount }
}
