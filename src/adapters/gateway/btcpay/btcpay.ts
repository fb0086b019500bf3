// Adapter of BTCPay Server (Greenfield API): it makes an invoice for each checkout, and reads its
// payments back. A webhook is only a hint.
import { createHmac, timingSafeEqual } from 'node:crypto'
import Type from 'typebox'
import { parseJson } from '../../../kit/json.ts'
import { compile } from '../../../kit/schema.ts'
import {
  type AssetKey,
  type Gateway,
  GatewayUnavailable,
  type Observation,
  type ObservedPayment,
  type WebhookHint,
} from '../port.ts'
import { storeMethodsAnswer } from './btcpay-answers.ts'
import { openDestination } from './btcpay-destination.ts'
import { assetOf, type BtcpayMethod, findMethod } from './btcpay-methods.ts'
import { readPayments, requireUnchanged } from './btcpay-payments.ts'
import { readQuote } from './btcpay-rates.ts'
import { type BtcpayPlace, openGreenfield } from './btcpay-requests.ts'

export type BtcpayProfile = BtcpayPlace & {
  webhook_secret: string | null
  methods: readonly BtcpayMethod[]
}
type Parts = { now: () => Date; timeout_ms?: number }

/** The time limit of each request. */
const usual_timeout_ms = 10_000
/** An observation reads this many invoices at once. */
const concurrent_reads = 8

/** Opens no connection, because each call makes its own requests. */
export function openBtcpay(profile: BtcpayProfile, parts: Parts): Gateway {
  const { store_id, methods, webhook_secret } = profile
  const { now, timeout_ms = usual_timeout_ms } = parts
  const greenfield = openGreenfield(profile, timeout_ms)
  const reading = { greenfield, store_id, methods }
  const methodOf = (key: AssetKey) => {
    const method = findMethod(methods, key)
    if (method) return method
    throw new GatewayUnavailable(`BTCPay Server: BTCPAY_METHODS has no ${key.asset}/${key.network}`)
  }
  return {
    name: 'btcpay',
    reads_on: false,
    health: greenfield.health,
    async assets() {
      const path = greenfield.storePath('/payment-methods')
      const all = await greenfield.ask({ method: 'GET', path, answer: storeMethodsAnswer })
      const enabled = all.filter((one) => one.enabled).map((one) => one.paymentMethodId)
      return methods.filter(({ id }) => enabled.includes(id)).map(assetOf)
    },
    open: async (request) =>
      openDestination({ greenfield, store_id, now, method: methodOf(request), request }),
    async observe({ destinations, known }): Promise<Observation> {
      const watched = new Map(destinations.map((one) => [one.reference, one]))
      const references = new Set([...watched.keys(), ...known.map((one) => one.reference)])
      const read = (reference: string) => readPayments(reading, reference, watched.get(reference))
      const waiting = [...references]
      const payments: ObservedPayment[] = []
      while (waiting.length > 0) {
        const answers = await Promise.all(waiting.splice(0, concurrent_reads).map(read))
        payments.push(...answers.flat())
      }
      requireUnchanged(payments, known)
      return { payments, cursor: null }
    },
    quote: async (key, currency) =>
      readQuote(greenfield, { method: methodOf(key), currency, now: now() }),
    verifyWebhook: (rawBody, signature) => {
      const isSigned = webhook_secret !== null && signed(webhook_secret, rawBody, signature)
      return isSigned ? hintOf(rawBody, store_id) : null
    },
  }
}

/**
 * `BTCPay-Sig: sha256=<hex>` is an HMAC of the raw body. The time of the comparison does not depend
 * on where the values differ.
 */
function signed(secret: string, rawBody: Uint8Array, signature: string): boolean {
  const mac = createHmac('sha256', secret).update(rawBody).digest('hex')
  const expected = createHmac('sha256', secret).update(`sha256=${mac}`).digest()
  const given = createHmac('sha256', secret).update(signature).digest()
  return timingSafeEqual(expected, given)
}

const eventShape = compile(Type.Object({ storeId: Type.String(), invoiceId: Type.String() }))

function hintOf(rawBody: Uint8Array, store_id: string): WebhookHint | null {
  const read = parseJson(rawBody)
  if (!('value' in read) || !eventShape.check(read.value)) return null
  return read.value.storeId === store_id ? { reference: read.value.invoiceId } : null
}
