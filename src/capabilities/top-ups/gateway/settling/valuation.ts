// Values base units of a coin in minor units: integers alone, rounded down once for each payment
// (decision 53).

/** So many base units for so many cents. */
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
  /** The rest of the amount that the frozen quote covers; null: all of any payment. */
  covered: bigint | null
  frozen: Ratio
  /** Of the time of its confirmation; null: not asked for yet. */
  rate: Ratio | null
}

/** `rate`: it is worth more than the frozen quote covers, so a quote of now is needed. */
type Valuation = { cents: bigint; quoted_amount: bigint } | 'rate'

/**
 * A frozen quote of a coin whose price moves covers the amount asked for, and no more: for any
 * amount it would be an option that is free for the payer.
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
