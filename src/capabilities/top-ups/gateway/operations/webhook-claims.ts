// Parses the body of a webhook: the checkout that it is about, and its claims.
import Type from 'typebox'
import { compile } from '../../../../kit/schema.ts'

export type Hint = { reference: string } | null

/** The claims are only compared with the payments that the gateway shows. */
export type Claims = {
  is_settled: boolean
  /** The amount in the currency of the checkout. */
  amount: string | null
  payment: { id: string; value: string } | null
}

const text = Type.String({ minLength: 1, maxLength: 200 })
const decimal = Type.String({ pattern: '^[0-9]{1,60}(\\.[0-9]{1,40})?$' })

const bodyShape = compile(Type.Record(Type.String(), Type.Unknown()))
const textShape = compile(text)
const decimalShape = compile(decimal)

const fieldsOf = (value: unknown): Record<string, unknown> => (bodyShape.check(value) ? value : {})
const firstText = (...values: unknown[]) => values.find((value) => textShape.check(value))

/** The invoice of BTCPay Server, or our own id. */
export function hintOf(body: unknown): Hint {
  const { invoiceId, reference, checkout_id, metadata } = fieldsOf(body)
  const named = firstText(invoiceId, reference, checkout_id, fieldsOf(metadata).orderId)
  return named === undefined ? null : { reference: named }
}

const settledWords = ['invoicesettled', 'invoicepaymentsettled', 'settled', 'paid', 'confirmed']
const paymentShape = compile(Type.Object({ id: text, value: decimal }))

export function claimsOf(body: unknown): Claims {
  const { type, status, amount, payment } = fieldsOf(body)
  const words = [type, status].map((word) => String(word).toLowerCase())
  return {
    is_settled: words.some((word) => settledWords.includes(word)),
    amount: decimalShape.check(amount) ? amount : null,
    payment: paymentShape.check(payment) ? payment : null,
  }
}
