// Settlement by an external facilitator (x402 version 2), which pays the gas. Its answer is a hint,
// because the chain shows whether the transfer happened.
import Type from 'typebox'
import { boundedFetch } from '../../kit/net/bounded-fetch.ts'
import { compile } from '../../kit/schema.ts'
import { GatewayUnavailable } from '../gateway/port.ts'
import { payloadOf, requirementsOf } from './payment-headers.ts'
import type { Facilitator, Hex } from './port.ts'

/** The facilitator waits for the transaction itself. */
const timeout_ms = 30_000
const answerShape = compile(
  Type.Object({
    success: Type.Boolean(),
    transaction: Type.Optional(Type.String()),
    errorReason: Type.Optional(Type.String()),
  }),
)

export function openFacilitator(url: string): Facilitator {
  return {
    kind: 'facilitator',
    async settle(terms, authorization) {
      const body = JSON.stringify({
        x402Version: 2,
        paymentPayload: payloadOf(terms, authorization),
        paymentRequirements: requirementsOf(terms),
      })
      const { success, transaction, errorReason } = await post(`${url}/settle`, body)
      const transaction_id = isHash(transaction) ? transaction : null
      if (success || errorReason === 'settlement_pending') return { transaction_id, reason: null }
      const reason = (errorReason ?? 'refused').replaceAll(/[^\w.-]/g, '_').slice(0, 100)
      return { transaction_id, reason }
    },
  }
}

function isHash(text: string | undefined): text is Hex {
  return text !== undefined && /^0x[0-9a-f]{64}$/.test(text)
}

/** Some answer a refusal with a 4xx status. Without a body as documented, nothing is known. */
async function post(url: string, body: string) {
  try {
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(timeout_ms)
    const answer = await boundedFetch(url, { method: 'POST', headers, body, signal })
    return answerShape.parse(await answer.json())
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    throw new GatewayUnavailable(`the x402 facilitator does not respond: ${words}`)
  }
}
