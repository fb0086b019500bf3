// Opens a checkout as an invoice of a BTCPay Server. The server has no idempotency key, so the
// invoice is found by its order id, and if there are several, the oldest one counts.
import { formatAmount, parseDecimal } from '../../../kit/money.ts'
import { type Destination, GatewayUnavailable, type PaymentRequest, type Quote } from '../port.ts'
import {
  anyAnswer,
  type Invoice,
  invoiceAnswer,
  invoicesAnswer,
  type MethodAnswer,
  methodsAnswer,
  mustUnits,
} from './btcpay-answers.ts'
import { type BtcpayMethod, speedPolicy } from './btcpay-methods.ts'
import { requireFairAmount } from './btcpay-rates.ts'
import type { Greenfield } from './btcpay-requests.ts'

type Opening = {
  greenfield: Greenfield
  store_id: string
  now: () => Date
  method: BtcpayMethod
  request: PaymentRequest
}

/** The minutes after its expiry during which the server still looks for payments: 60 days. */
const monitoring_minutes = 86_400

export async function openDestination(opening: Opening): Promise<Destination> {
  const { method, request, now } = opening
  const found = await findInvoice(opening)
  if (!found) await createInvoice(opening)
  // Another node may have created one at the same moment, so both take the oldest.
  const invoice = found ?? (await findInvoice(opening))
  if (!invoice)
    throw new GatewayUnavailable('BTCPay Server does not list the invoice that it created')
  const answer = await readMethod(opening, invoice.id)
  const quote = quoteOf(answer, { method, request, now: now() })
  const { pay_address, payment_uri } = addressOf(answer)
  return {
    asset: request.asset,
    network: request.network,
    reference: invoice.id,
    pay_address,
    pay_amount: quote.units,
    payment_uri,
    quote,
    path: null,
    page_url: pageOf(invoice),
  }
}

async function findInvoice({ greenfield, ...opening }: Opening): Promise<Invoice | undefined> {
  const { method, request } = opening
  const all = await greenfield.ask({
    method: 'GET',
    path: greenfield.storePath('/invoices'),
    query: { orderId: request.checkout_id },
    answer: invoicesAnswer,
  })
  const own = all.filter(
    ({ metadata }) =>
      metadata.orderId === request.checkout_id && metadata.paymentMethodId === method.id,
  )
  const [oldest] = own.sort((a, b) => a.createdTime - b.createdTime || (a.id < b.id ? -1 : 1))
  if (oldest) requireOwn(oldest, opening)
  return oldest
}

/** Throws GatewayUnavailable for an invoice of another store, amount or currency. */
function requireOwn(
  { storeId, amount, currency }: Invoice,
  { store_id, request }: Pick<Opening, 'store_id' | 'request'>,
): void {
  const isOwn =
    storeId === store_id &&
    currency === request.currency &&
    parseDecimal(amount) === request.amount_cents
  if (!isOwn) throw new GatewayUnavailable('BTCPay Server: the invoice is not the one asked for')
}

async function createInvoice({ greenfield, ...opening }: Opening): Promise<void> {
  const { method, request, now } = opening
  const left_ms = request.expires_at.getTime() - now().getTime()
  const invoice = await greenfield.ask({
    method: 'POST',
    path: greenfield.storePath('/invoices'),
    body: {
      amount: formatAmount(request.amount_cents),
      currency: request.currency,
      metadata: { orderId: request.checkout_id, paymentMethodId: method.id },
      checkout: {
        paymentMethods: [method.id],
        defaultPaymentMethod: method.id,
        speedPolicy: speedPolicy.name,
        expirationMinutes: Math.max(1, Math.ceil(left_ms / 60_000)),
        monitoringMinutes: monitoring_minutes,
        paymentTolerance: 0,
      },
    },
    answer: invoiceAnswer,
  })
  requireOwn(invoice, opening)
}

async function readMethod(
  { greenfield, method }: Opening,
  invoiceId: string,
): Promise<MethodAnswer> {
  const path = greenfield.invoicePath(invoiceId, '/payment-methods')
  const read = async () => {
    const all = await greenfield.ask({ method: 'GET', path, answer: methodsAnswer })
    const own = all.find(({ paymentMethodId }) => paymentMethodId === method.id)
    if (own?.currency === method.asset) return own
    throw new GatewayUnavailable(`BTCPay Server offers no ${method.id} for the invoice`)
  }
  const answer = await read()
  if (answer.activated) return answer
  const activate = `${path}/${encodeURIComponent(method.id)}/activate`
  await greenfield.ask({ method: 'POST', path: activate, answer: anyAnswer })
  return read()
}

type Priced = { method: BtcpayMethod; request: PaymentRequest; now: Date }

function quoteOf(answer: MethodAnswer, { method, request, now }: Priced): Quote {
  const units = (value: string) => mustUnits(value, method.decimals)
  const amount = units(answer.amount)
  const fee = units(answer.paymentMethodFee)
  // A payment between two calls lowers `due`, so the whole price is requested.
  const due = answer.payments.length > 0 ? amount : units(answer.due)
  if (amount === 0n || due < amount || due > amount + fee)
    throw new GatewayUnavailable('BTCPay Server: the amount due is not the amount of the invoice')
  requireFairAmount(amount, { method, request, rate: answer.rate })
  return { units: due, cents: request.amount_cents, quoted_at: now }
}

const schemes = /^(?:bitcoin|litecoin|ethereum|lightning|tron|monero|solana):/i

/** The link may be upper case (BIP-21), and contains the address. */
function addressOf({ destination, paymentLink }: MethodAnswer) {
  const link = paymentLink ?? ''
  const isAddress = /^[A-Za-z0-9:_-]{10,1000}$/.test(destination ?? '')
  const leadsThere = link.toLowerCase().includes((destination ?? '').toLowerCase())
  if (destination === null || !isAddress || !schemes.test(link) || !leadsThere)
    throw new GatewayUnavailable('BTCPay Server: the invoice has no usable address')
  return { pay_address: destination, payment_uri: link }
}

function pageOf({ checkoutLink }: Invoice): string {
  if (URL.canParse(checkoutLink) && /^https?:$/.test(new URL(checkoutLink).protocol))
    return checkoutLink
  throw new GatewayUnavailable('BTCPay Server: the invoice has no usable page')
}
