// The header fields of x402 version 2, in base64 of JSON: PAYMENT-REQUIRED asks, PAYMENT-SIGNATURE
// pays, and PAYMENT-RESPONSE says how the payment was settled.
import Type from 'typebox'
import { getAddress } from 'viem/utils'
import { compile } from '../../kit/schema.ts'
import type { Authorization, Hex, Invalid, Terms } from './port.ts'

/** The time within which a payment has to be settled; clients sign a time this far ahead. */
const payment_timeout_s = 300
/** The time that must be left when it arrives: some blocks, and the chain's own clock. */
const least_left_s = 30
/** A longer time would let others submit it after everybody has forgotten it. */
const most_left_s = 86_400

const decimal = Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$' })
const address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })
const payloadShape = compile(
  Type.Object({
    x402Version: Type.Literal(2),
    accepted: Type.Object({
      scheme: Type.String(),
      network: Type.String(),
      amount: decimal,
      asset: address,
      payTo: address,
    }),
    payload: Type.Object({
      signature: Type.String({ pattern: '^0x([0-9a-fA-F]{2}){65,2048}$' }),
      authorization: Type.Object({
        from: address,
        to: address,
        value: decimal,
        validAfter: decimal,
        validBefore: decimal,
        nonce: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }),
      }),
    }),
  }),
)
/** A well-formed PAYMENT-SIGNATURE that has not been compared with anything yet. */
export type Payment = ReturnType<typeof payloadShape.parse>

/** It is undefined for any other version or scheme. */
export function readPayment(header: string): Payment | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(header)) return undefined
  try {
    return payloadShape.parse(JSON.parse(Buffer.from(header, 'base64').toString('utf8')))
  } catch {
    return undefined
  }
}

/** The address of the offer, by which the checkout is found. */
export function payToOf({ accepted }: Payment): Hex {
  return hex(accepted.payTo)
}

/** The key by which an authorization is known. */
export function nonceOf({
  payload,
}: Pick<Payment, 'payload'>): Pick<Authorization, 'payer' | 'nonce'> {
  const { from, nonce } = payload.authorization
  return { payer: hex(from), nonce: hex(nonce) }
}

/**
 * Compares it with the terms and with the time (any time if `now` is null), without reading the
 * chain. The terms count, not the payment's copy of them.
 */
export function authorizationFor(
  { accepted, payload }: Payment,
  terms: Terms,
  now: Date | null,
): Authorization | Invalid {
  const { authorization: given } = payload
  const lower = (text: string) => text.toLowerCase()
  if (accepted.scheme !== 'exact') return 'unsupported_scheme'
  if (accepted.network !== networkId(terms)) return 'invalid_exact_evm_network_mismatch'
  const isOffered =
    lower(accepted.asset) === terms.token &&
    lower(accepted.payTo) === terms.pay_to &&
    BigInt(accepted.amount) === terms.units
  if (!isOffered) return 'no_matching_requirements'
  if (lower(given.to) !== terms.pay_to) return 'invalid_exact_evm_recipient_mismatch'
  if (BigInt(given.value) !== terms.units)
    return 'invalid_exact_evm_payload_authorization_value_mismatch'
  const [after, before] = [BigInt(given.validAfter), BigInt(given.validBefore)]
  const untimely = now && untimelyOf(Math.floor(now.getTime() / 1000), { after, before })
  if (untimely) return untimely
  return {
    ...nonceOf({ payload }),
    value: terms.units,
    valid_after: Number(after),
    valid_before: Number(before),
    signature: hex(payload.signature),
  }
}

type Validity = { after: bigint; before: bigint }

function untimelyOf(now_s: number, { after, before }: Validity): Invalid | null {
  if (after > BigInt(now_s)) return 'invalid_exact_evm_payload_authorization_valid_after'
  if (before < BigInt(now_s + least_left_s) || before > BigInt(now_s + most_left_s))
    return 'invalid_exact_evm_payload_authorization_valid_before'
  return null
}

/** The address in lower case. */
function hex(text: string): Hex {
  return `0x${text.slice(2).toLowerCase()}`
}

/** The network in the form of CAIP-2. */
export function networkId({ chain_id }: Pick<Terms, 'chain_id'>): string {
  return `eip155:${chain_id}`
}

/** The payment requirements of a checkout, in the form that clients and facilitators take. */
export function requirementsOf(terms: Terms) {
  return {
    scheme: 'exact',
    network: networkId(terms),
    amount: String(terms.units),
    asset: getAddress(terms.token),
    payTo: getAddress(terms.pay_to),
    maxTimeoutSeconds: payment_timeout_s,
    extra: { ...terms.domain, assetTransferMethod: 'eip3009' },
  }
}

/** The payment in the form that a facilitator takes. */
export function payloadOf(terms: Terms, authorization: Authorization) {
  const { payer, nonce, value, valid_after, valid_before, signature } = authorization
  return {
    x402Version: 2,
    accepted: requirementsOf(terms),
    payload: {
      signature,
      authorization: {
        from: getAddress(payer),
        to: getAddress(terms.pay_to),
        value: String(value),
        validAfter: String(valid_after),
        validBefore: String(valid_before),
        nonce,
      },
    },
  }
}

type Required = { terms: Terms; error: string; resource: { url: string; description: string } }

export function requiredBody({ terms, error, resource }: Required) {
  return {
    x402Version: 2,
    error,
    resource: { ...resource, mimeType: 'application/json' },
    accepts: [requirementsOf(terms)],
  }
}

/** The value of PAYMENT-REQUIRED. */
export function paymentRequired(required: Required): string {
  return encoded(requiredBody(required))
}

type Settlement = {
  terms: Terms
  payer: string
  transaction_id: string | null
  /** The reason of a failure, or null if it is settled. */
  error: string | null
}

/** The value of PAYMENT-RESPONSE. */
export function paymentResponse({ terms, payer, transaction_id, error }: Settlement): string {
  return encoded({
    success: error === null,
    ...(error !== null && { errorReason: error }),
    transaction: transaction_id ?? '',
    network: networkId(terms),
    payer: getAddress(payer),
    amount: String(terms.units),
  })
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}
