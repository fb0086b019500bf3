// The webhook of the payment gateway: a hint to look at a checkout, and never a fact. The token in
// its URL is compared in constant time, and the gateway is read.
import Type from 'typebox'
import { formatUnits } from '../../../../adapters/gateway/decimal-units.ts'
import { type App, anyone, type Call, operation } from '../../../../app.ts'
import { notConfigured } from '../../../../errors/faults.ts'
import { InvalidInput } from '../../../../kit/fault.ts'
import { parseJson } from '../../../../kit/json.ts'
import { parseDecimal } from '../../../../kit/money.ts'
import { sameSecret } from '../../../../kit/random.ts'
import { withDefault } from '../../../../kit/schema.ts'
import { storeAuditRow } from '../../../audit/index.ts'
import { gatewayUnavailable, webhookTokenInvalid } from '../checkout-faults.ts'
import { paymentsOfCheckouts } from '../checkout-payments.sql.ts'
import { gatewayOf, paymentOf } from '../checkout-rows.ts'
import { checkoutById, checkoutOfReference } from '../checkouts.sql.ts'
import { fromGateway } from '../start-checkout.ts'
import { hintCheckout } from '../watching/observe-checkout.ts'
import { type Claims, claimsOf, type Hint, hintOf } from './webhook-claims.ts'

export const receiveGatewayWebhook = operation({
  name: 'receive_gateway_webhook',
  does: 'Receive the report of the payment gateway that something happened to a payment.',
  more:
    'The body is only a hint: the gateway is read, and the payments that it shows are ' +
    'credited. 503 means that the report should be sent again.',
  at: 'POST /v1/billing/gateway/webhook',
  area: 'Billing',
  who: anyone(),
  takes: Type.Object({
    token: withDefault(Type.String({ description: 'The value of GATEWAY_WEBHOOK_TOKEN.' }), ''),
    btcpay_sig: Type.Optional(
      Type.String({ maxLength: 200, description: "BTCPay Server's signature of the body." }),
    ),
  }),
  in: { token: 'query', btcpay_sig: 'header' },
  raw_body: true,
  gives: Type.Object(
    { received: Type.Boolean({ description: 'Always true, whatever the state of the top-up.' }) },
    { title: 'GatewayWebhookResponse' },
  ),
  fails: [notConfigured, webhookTokenInvalid, gatewayUnavailable],
  effect: 'own',
  async run({ token, btcpay_sig }, call, app) {
    const { gateway_webhook_token: wanted, btcpay_webhook_secret: secret } = app.settings
    if (wanted === null)
      throw notConfigured({
        detail: 'No token of the webhook is configured.',
        hint: 'An operator must set GATEWAY_WEBHOOK_TOKEN.',
      })
    if (!sameSecret(token, wanted)) throw webhookTokenInvalid()
    const gateway = gatewayOf(app)
    const body = bodyOf(call.raw_body)
    const isSigned = btcpay_sig !== undefined && secret !== null
    const signed = isSigned ? gateway.verifyWebhook?.(call.raw_body, btcpay_sig) : undefined
    if (signed === null) {
      await distrust(app, call, { error_code: 'webhook_signature_invalid', target: null })
      throw webhookTokenInvalid({ detail: 'The signature of the webhook is not valid.' })
    }
    await follow(app, call, { hint: signed ?? hintOf(body), claims: claimsOf(body) })
    return { received: true }
  },
})

function bodyOf(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {}
  const read = parseJson(bytes)
  if ('value' in read) return read.value
  throw new InvalidInput([{ path: ['body'], msg: read.problem.msg, type: 'json_invalid' }])
}

type Followed = { hint: Hint; claims: Claims }

/** A body that names nothing, such as that of a gateway's test, hints at nothing. */
async function follow(app: App, call: Call, { hint, claims }: Followed): Promise<void> {
  if (hint === null) return
  const checkout = await named(app, hint)
  if (!checkout)
    return distrust(app, call, { error_code: 'checkout_not_found', target: hint.reference })
  const { noted, done } = await hintCheckout(app, checkout.id)
  const compared = done.then(() => compare(app, call, { id: checkout.id, claims }))
  if (!noted) await fromGateway(compared)
  else
    compared.catch((error) =>
      app.log.warn({ err: error }, 'webhook of a gateway not compared with its checkout'),
    )
}

async function named(app: App, { reference }: NonNullable<Hint>) {
  const gateway = gatewayOf(app).name
  const found = await app.db.maybe(checkoutOfReference, { gateway, reference })
  return found ?? (await app.db.maybe(checkoutById, { id: reference }))
}

/** A body that claims more than the gateway shows was not written by it. */
async function compare(
  app: App,
  call: Call,
  { id, claims }: { id: string; claims: Claims },
): Promise<void> {
  const checkout = await app.db.one(checkoutById, { id })
  const payments = (await app.db.run(paymentsOfCheckouts, { checkout_ids: [id] })).map(paymentOf)
  const isConfirmed = payments.some(({ state }) => state === 'confirmed')
  const claimed = claims.amount === null ? undefined : parseDecimal(claims.amount)
  const isMore = claimed !== undefined && claimed > checkout.amount
  const { payment } = claims
  const shown = payments.find((one) => payment !== null && one.id.endsWith(`/${payment.id}`))
  const isOther =
    payment !== null &&
    shown !== undefined &&
    shown.decimals !== null &&
    plain(payment.value) !== formatUnits(shown.amount, shown.decimals)
  if ((claims.is_settled && !isConfirmed) || isMore || isOther)
    await distrust(app, call, { error_code: 'webhook_contradicted', target: id })
}

/** "25.000000" is "25". */
const plain = (decimal: string) => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal)

type Distrusted = { error_code: string; target: string | null }

/**
 * Reports to operators a call that had the right token, but a body that the gateway would not send.
 */
async function distrust(app: App, call: Call, { error_code, target }: Distrusted): Promise<void> {
  app.log.error(
    { target, reason: error_code, alarm: 'gateway_webhook_distrusted' },
    'webhook of a gateway refused',
  )
  const shown = target === null ? null : target.slice(0, 200)
  const facts = { target_type: 'checkout', target: shown, customer_id: null, error_code }
  await storeAuditRow(app.db, call.auditRow({ ...facts, result: 'denied' }))
}
