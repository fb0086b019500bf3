// The parts of the Greenfield API's answers that are read, with the checks that one answer alone
// allows.
import Type, { type Static } from 'typebox'
import { compile, nullable } from '../../../kit/schema.ts'
import { parseDecimalUnits } from '../decimal-units.ts'
import { GatewayUnavailable } from '../port.ts'

const text = Type.String({ minLength: 1, maxLength: 1_000 })
const seconds = Type.Integer({ minimum: 1_230_768_000, maximum: 7_258_118_400 })

const invoiceShape = Type.Object({
  id: text,
  storeId: text,
  amount: text,
  currency: text,
  checkoutLink: text,
  createdTime: seconds,
  metadata: Type.Record(Type.String(), Type.Unknown()),
})
const paymentShape = Type.Object({
  id: text,
  receivedDate: seconds,
  value: text,
  status: Type.Union([
    Type.Literal('Processing'),
    Type.Literal('Settled'),
    Type.Literal('Invalid'),
  ]),
  destination: nullable(Type.String()),
})
const methodShape = Type.Object({
  paymentMethodId: text,
  currency: text,
  destination: nullable(Type.String()),
  paymentLink: nullable(Type.String()),
  rate: text,
  amount: text,
  due: text,
  paymentMethodFee: text,
  activated: Type.Boolean(),
  payments: Type.Array(paymentShape, { maxItems: 10_000 }),
})

export type Invoice = Static<typeof invoiceShape>
export type MethodAnswer = Static<typeof methodShape>

export const invoiceAnswer = compile(invoiceShape)
export const invoicesAnswer = compile(Type.Array(invoiceShape))
export const methodsAnswer = compile(Type.Array(methodShape))
export const storeMethodsAnswer = compile(
  Type.Array(Type.Object({ paymentMethodId: text, enabled: Type.Boolean() })),
)
export const ratesAnswer = compile(
  Type.Array(Type.Object({ currencyPair: text, rate: nullable(text) })),
)
export const anyAnswer = compile(Type.Unknown())

/** The base units of a decimal string. Throws GatewayUnavailable. */
export function mustUnits(value: string, decimals: number): bigint {
  const units = parseDecimalUnits(value, decimals)
  if (units === undefined)
    throw new GatewayUnavailable(`BTCPay Server: an amount does not have ${decimals} decimals`)
  return units
}
