// A top-up that pays itself by x402 (version 2): without a payment it answers 402 with the payment
// requirements, with one it verifies, stores, settles, and answers the top-up.
import Type, { type Static } from 'typebox'
import {
  authorizationFor,
  networkId,
  nonceOf,
  type Payment,
  paymentResponse,
  payToOf,
  readPayment,
  requiredBody,
  paymentRequired as requiredHeader,
} from '../../../adapters/x402/payment-headers.ts'
import { type App, type Call, operation, ownerOf, Reply } from '../../../app.ts'
import { notConfigured } from '../../../errors/faults.ts'
import { type FaultType, faultWith, InvalidInput } from '../../../kit/fault.ts'
import { currencies, formatAmount } from '../../../kit/money.ts'
import { nullable, oneOf, withDefault } from '../../../kit/schema.ts'
import {
  assetName,
  customerId,
  networkName,
  presentOne,
  topUpResponse,
} from '../gateway/checkout.ts'
import * as checkoutFaults from '../gateway/checkout-faults.ts'
import { checkoutOfCall, fromGateway } from '../gateway/start-checkout.ts'
import { store, storedWith } from './authorizations.ts'
import { chosenAsset, type Offer, offerFor, offerPaidTo, type Wanted, x402Of } from './offers.ts'
import { settleNow } from './settle.ts'
import { limitVerifications, type Settlement, settledAlready } from './settled-already.ts'
import * as faults from './x402-faults.ts'

const takes = Type.Object(
  {
    customer_id: customerId,
    amount_cents: Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'The amount in minor units: 2500 is 25.00.',
    }),
    currency: withDefault(oneOf(currencies), 'USD'),
    network: Type.Optional(networkName),
    asset: Type.Optional(assetName),
    payment_signature: Type.Optional(
      Type.String({ maxLength: 6_000, description: 'The payment, as an x402 client makes it.' }),
    ),
  },
  { title: 'X402TopUpRequest' },
)

const gives = Type.Object(
  {
    top_up: topUpResponse,
    settlement: Type.Object({
      state: oneOf(['stored', 'submitted', 'settled'], {
        description: 'submitted: it was sent, and is settled once the network has confirmed it.',
      }),
      transaction_id: nullable(
        Type.String({ description: 'The transaction, or null if it is not in a block yet.' }),
      ),
      network: Type.String({ description: 'The network as in CAIP-2, such as eip155:8453.' }),
      payer: Type.String(),
    }),
  },
  { title: 'X402TopUpResponse' },
)

export const topUpByX402 = operation({
  name: 'top_up_by_signed_payment',
  does: 'Top up the balance by x402, without a browser.',
  more:
    'Without PAYMENT-SIGNATURE it answers 402, whose PAYMENT-REQUIRED an x402 client signs. With ' +
    'it, the authorization is settled, and the balance is credited once the network has ' +
    'confirmed the transfer: read the top-up until it is paid. The same request again pays ' +
    'nothing twice.',
  at: 'POST /v1/customers/{customer_id}/billing/x402/top-ups',
  area: 'Billing',
  who: ownerOf('billing:write', { operator: false }),
  takes,
  in: { payment_signature: 'header' },
  gives,
  fails: [
    notConfigured,
    ...Object.values(faults),
    checkoutFaults.assetNotOffered,
    checkoutFaults.gatewayUnavailable,
    checkoutFaults.startsLimited,
    checkoutFaults.tooManyTopUps,
  ],
  effect: 'own',
  target: ({ amount_cents, currency }) => ({
    target_type: 'checkout',
    target: null,
    metadata: { amount_cents, currency },
  }),
  async run(input, call, app) {
    const wanted = wantedBy(input, call, app)
    const { payment_signature: header } = input
    if (header === undefined) throw await unpaid(app, call, { wanted, why: faults.paymentRequired })
    const paid = await pay(app, call, { wanted, header })
    if ('reason' in paid)
      throw await unpaid(app, call, { wanted, why: faults.paymentInvalid, ...paid })
    const { offer, ended } = paid
    if (ended.state === 'failed' || ended.state === 'expired') {
      const reason = ended.reason ?? ended.state
      throw await unpaid(app, call, { wanted, why: faults.paymentFailed, reason, ended })
    }
    return answer(call, offer, { ...ended, state: ended.state })
  },
})

function wantedBy(input: Static<typeof takes>, call: Call, app: App): Wanted {
  const asset = chosenAsset(x402Of(app), input)
  const { checkout_most_cents: most, x402_least_amount_cents: least } = app.settings
  const { amount_cents, currency } = input
  if (amount_cents < least || amount_cents > most) {
    const [from, to] = [least, most].map((limit) => formatAmount(BigInt(limit)))
    const msg = `Top-ups by x402 are from ${from} to ${to}`
    throw new InvalidInput([{ path: ['amount_cents'], msg, type: 'amount_limits' }])
  }
  return { customer_id: call.customer_id, amount: BigInt(amount_cents), currency, asset }
}

type Paying = { wanted: Wanted; header: string }

/** The fault for an authorization that may have been used. */
const reasonsOfUsed = [
  'invalid_exact_evm_nonce_already_used',
  'invalid_exact_evm_insufficient_balance',
  'invalid_exact_evm_transaction_simulation_failed',
  'invalid_exact_evm_payload_authorization_valid_before',
]

/**
 * Stores the payment and settles it; one that is known is not verified again. One that has paid its
 * checkout already is no reason to ask for another, by our wallet or not.
 */
async function pay(
  app: App,
  call: Call,
  { wanted, header }: Paying,
): Promise<{ offer: Offer; ended: Settlement } | { reason: string }> {
  const payment = readPayment(header)
  if (!payment) return { reason: 'invalid_payload' }
  const { customer_id, amount, currency } = wanted
  const offer = await offerPaidTo(app, { customer_id, pay_to: payToOf(payment) })
  if (offer?.amount !== amount || offer.currency !== currency)
    return { reason: 'no_matching_requirements' }
  const read = () => storedWith(app, offer, nonceOf(payment))
  let known = await read()
  if (!known) {
    const reason = (await storeVerified(app, call, { offer, payment })) ?? 'invalid_payload'
    // The same request may have been stored meanwhile.
    known = await read()
    if (!known) {
      if (!reasonsOfUsed.includes(reason)) return { reason }
      const settled = await settledAlready(app, { offer, payment, hints: [] })
      return settled ? { offer, ended: settled } : { reason }
    }
  }
  if (known.checkout_id !== offer.checkout_id)
    return { reason: 'invalid_exact_evm_nonce_already_used' }
  const ended = await settleNow(app, known.id)
  if (ended.state !== 'failed' && ended.state !== 'expired') return { offer, ended }
  const hints = [known.transaction_id, known.hinted_transaction_id].flatMap((id) => id ?? [])
  return { offer, ended: (await settledAlready(app, { offer, payment, hints })) ?? ended }
}

type Unverified = { offer: Offer; payment: Payment }

/** Returns the reason if nothing was stored. */
async function storeVerified(
  app: App,
  call: Call,
  { offer, payment }: Unverified,
): Promise<string | null> {
  const authorization = authorizationFor(payment, offer.terms, app.clock.now())
  if (typeof authorization === 'string') return authorization
  await limitVerifications(app, offer)
  const x402 = x402Of(app)
  const invalid = await fromGateway(x402.verify(offer.terms, authorization))
  if (invalid) return invalid
  // Gas is checked before anything is stored: whether there is enough, and whether it is cheap
  // enough.
  const { settler } = x402
  if (settler.kind === 'wallet')
    await fromGateway(settler.prepare(offer.terms, authorization, null))
  const kept = await store(app, call, { offer, authorization })
  if (kept === 'limited') throw faults.tooManyUnsettled({ retry_after_s: 10 })
  app.reached?.('x402_stored')
  return kept === 'stored' ? null : 'no_matching_requirements'
}

type Unpaid = {
  wanted: Wanted
  why: FaultType
  reason?: string
  ended?: Settlement
}

/** 402 with fresh requirements, in the header, and in the body for callers that see no headers. */
async function unpaid(app: App, call: Call, { wanted, why, reason, ended }: Unpaid) {
  const offer = await fromGateway(offerFor(app, call, wanted))
  const { terms, checkout_id, expires_at } = offer
  const { base_url } = app.settings
  const url = `${base_url}/v1/customers/${call.customer_id}/billing/x402/top-ups`
  const description = `Top-up of ${formatAmount(offer.amount)} ${offer.currency}`
  const required = { terms, error: reason ?? why.sentence, resource: { url, description } }
  return faultWith(why, {
    headers: {
      'PAYMENT-REQUIRED': requiredHeader(required),
      ...(ended && { 'PAYMENT-RESPONSE': responseHeader(offer, ended) }),
    },
    facts: {
      ...(reason !== undefined && { reason }),
      ...(ended && { failed_top_up_id: ended.checkout_id }),
      top_up_id: checkout_id,
      expires_at: expires_at.toISOString(),
      payment_required: requiredBody(required),
    },
  })
}

type Paid = Settlement & { state: 'stored' | 'submitted' | 'settled' }

async function answer(call: Call, offer: Offer, stored: Paid) {
  const top_up = await presentOne(call.sql, await checkoutOfCall(call, offer.checkout_id))
  const { transaction_id, payer, state } = stored
  const network = networkId(offer.terms)
  const body = { top_up, settlement: { state, transaction_id, network, payer } }
  return new Reply(body, { 'PAYMENT-RESPONSE': responseHeader(offer, stored) })
}

function responseHeader({ terms }: Offer, stored: Settlement): string {
  const { payer, transaction_id, state, reason } = stored
  const isOver = state === 'failed' || state === 'expired'
  const pending = transaction_id === null ? 'settlement_pending' : null
  return paymentResponse({
    ...{ terms, payer, transaction_id },
    error: isOver ? (reason ?? state) : pending,
  })
}
