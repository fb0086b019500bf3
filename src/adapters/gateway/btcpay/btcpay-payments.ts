// Reads the payments of invoices. All payments are requested, also those that no longer count, so
// that a dropped payment is seen as orphaned instead of absent.
import {
  type AssetKey,
  GatewayUnavailable,
  type ObservedPayment,
  type ObserveInput,
  type PaymentState,
} from '../port.ts'
import { type MethodAnswer, methodsAnswer, mustUnits } from './btcpay-answers.ts'
import { type BtcpayMethod, speedPolicy } from './btcpay-methods.ts'
import type { Greenfield } from './btcpay-requests.ts'

type Watched = ObserveInput['destinations'][number]

const states: Readonly<Record<MethodAnswer['payments'][number]['status'], PaymentState>> = {
  Processing: 'seen',
  Settled: 'confirmed',
  Invalid: 'orphaned',
}

type Reading = {
  greenfield: Greenfield
  store_id: string
  methods: readonly BtcpayMethod[]
}

/** `watched` is the destination, if the invoice belongs to more than a known payment. */
export async function readPayments(
  { greenfield, store_id, methods }: Reading,
  reference: string,
  watched: Watched | undefined,
): Promise<ObservedPayment[]> {
  const answers = await greenfield.ask({
    method: 'GET',
    path: greenfield.invoicePath(reference, '/payment-methods'),
    query: { onlyAccountedPayments: 'false' },
    answer: methodsAnswer,
  })
  if (watched) requireAddress(answers, methods, watched)
  return answers.flatMap((answer) => {
    if (answer.payments.length === 0) return []
    const method = methods.find(({ id }) => id === answer.paymentMethodId)
    if (method?.asset !== answer.currency)
      throw new GatewayUnavailable(
        `BTCPay Server: a payment by ${answer.paymentMethodId}, which BTCPAY_METHODS does not list`,
      )
    return answer.payments.map((payment) => {
      const state = states[payment.status]
      const amount = mustUnits(payment.value, method.decimals)
      if (amount === 0n)
        throw new GatewayUnavailable('BTCPay Server: a payment has an amount of zero')
      return {
        id: `btcpay/${store_id}/${payment.id}`,
        reference,
        asset: method.asset,
        network: method.network,
        transaction_id: transactionOf(payment.id),
        amount,
        state,
        confirmations: state === 'confirmed' ? speedPolicy.confirmations : 0,
        value: null,
        at: new Date(payment.receivedDate * 1_000),
        block: null,
        ...(state === 'orphaned' && { why_gone: 'BTCPay Server shows it as invalid' }),
      }
    })
  })
}

/** On a chain, a payment is named by its transaction and output. */
function transactionOf(paymentId: string): string {
  return /^([0-9a-f]{64})-[0-9]+$/.exec(paymentId)?.[1] ?? paymentId
}

/**
 * After a part was paid, the server shows a fresh address. The address shown first has that part.
 */
function requireAddress(
  answers: readonly MethodAnswer[],
  methods: readonly BtcpayMethod[],
  { asset, network, pay_address }: Watched & AssetKey,
): void {
  const method = methods.find((one) => one.asset === asset && one.network === network)
  const answer = answers.find(({ paymentMethodId }) => paymentMethodId === method?.id)
  const shown = [answer?.destination, ...(answer?.payments ?? []).map((one) => one.destination)]
  if (!answer || answer.currency !== asset || !shown.includes(pay_address))
    throw new GatewayUnavailable(
      'BTCPay Server: the invoice shows another asset or address than before',
    )
}

/** Throws GatewayUnavailable for payments that occur twice, are missing, or differ from before. */
export function requireUnchanged(
  payments: readonly ObservedPayment[],
  known: ObserveInput['known'],
): void {
  const byId = new Map(payments.map((payment) => [payment.id, payment]))
  if (byId.size < payments.length)
    throw new GatewayUnavailable('BTCPay Server: one payment is listed twice')
  for (const before of known) {
    const now = byId.get(before.id)
    const isSame =
      now?.amount === before.amount &&
      now.reference === before.reference &&
      now.asset === before.asset &&
      now.network === before.network
    if (!isSame)
      throw new GatewayUnavailable(
        `BTCPay Server: the payment ${before.id} changed after it was seen`,
      )
  }
}
