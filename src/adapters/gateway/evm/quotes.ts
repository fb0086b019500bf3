// Conversions between base units of a coin and cents, exact in integers. The amount to pay is
// rounded up to the next base unit, so that an exact payment is never too low.
import type { Currency } from '../../../kit/money.ts'
import type { Price } from '../../rates/port.ts'
import type { Quote } from '../port.ts'

/** "12.5" with 6 decimals is 12500000n. Digits beyond the decimals are rounded down. */
export function parseUnits(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}

type Coin = { decimals: number; pegged_to: Currency | null }

/** A quote at the peg: one coin is one unit of its currency. */
export function pegQuote({ decimals }: Coin, quoted_at: Date): Quote {
  return reduced({ units: 10n ** BigInt(decimals), cents: 100n, quoted_at })
}

export function priceQuote({ decimals }: Coin, price: Price): Quote {
  const units = 10n ** BigInt(decimals + price.scale)
  return reduced({ units, cents: price.digits * 100n, quoted_at: price.at })
}

/** The base units for these cents, rounded up. */
export function unitsFor(cents: bigint, quote: Quote): bigint {
  return (cents * quote.units + quote.cents - 1n) / quote.cents
}

/** Whether one coin is worth more than 1 % more or less than one unit of its currency. */
export function isOffPeg({ digits, scale }: Price): boolean {
  const par = 10n ** BigInt(scale)
  const distance = digits > par ? digits - par : par - digits
  return distance * 100n > par
}

function reduced({ units, cents, quoted_at }: Quote): Quote {
  let [a, b] = [units, cents]
  while (b !== 0n) [a, b] = [b, a % b]
  return { units: units / a, cents: cents / a, quoted_at }
}

type Payable = { chain_id: number; contract: string | null; address: string; units: bigint }

/** A URI by EIP-681, from which wallets fill in chain, coin, receiver and amount. */
export function paymentUri({ chain_id, contract, address, units }: Payable): string {
  return contract === null
    ? `ethereum:${address}@${chain_id}?value=${units}`
    : `ethereum:${contract}@${chain_id}/transfer?address=${address}&uint256=${units}`
}
