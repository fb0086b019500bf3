// Amounts of a request: exact decimals, as JSON numbers or strings. Nothing is rounded.
import Type, { type TUnsafe } from 'typebox'
import { formatAmount, parseAmount } from '../../kit/money.ts'
import { amountGiven } from '../../kit/schema.ts'

const decimal = amountGiven({ example: '12.34' })

/** The schema of an amount; `readAmount` has the rest of its rules. */
export function givenAmount(
  limit: { minimum: 0 } | { exclusiveMinimum: 0 },
  description: string,
): TUnsafe<number | string> {
  const anyOf = [{ type: 'number', ...limit }, decimal]
  return Type.Unsafe<number | string>({ anyOf, description })
}

/** Minor units, or undefined for an amount that is not exact in them and for -0. */
export function readAmount(given: number | string): bigint | undefined {
  return Object.is(given, -0) ? undefined : parseAmount(String(given))
}

/** A column of type numeric with minor units, as a decimal string. */
export function amountOfColumn(minorUnits: string): string {
  return formatAmount(BigInt(minorUnits))
}
