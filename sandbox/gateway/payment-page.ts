// The payment page of an invoice: amount and address, and buttons that pay in place of a wallet. It
// is plain HTML without scripts.
import type { ServerResponse } from 'node:http'
import { formatCents } from '../support/money.ts'
import { escapeHtml, pageDocument, replyPage, STYLE_PATH } from '../support/payment-html.ts'
import { formatUnits } from './decimals.ts'
import type { Served } from './greenfield-routes.ts'
import { destinationOf } from './greenfield-views.ts'
import { type Method, methodOf } from './payment-methods.ts'
import type { Invoice, Payment } from './store.ts'

type Asked = { method: string; url: URL; text: string; response: ServerResponse }

export function servePage(served: Served, { method, url, text, response }: Asked): void {
  const [, id = '', action = ''] = /^\/i\/([\w-]+)(\/pay)?$/.exec(url.pathname) ?? []
  const invoice = served.store.invoice(id)
  if (method === 'GET' && url.pathname === STYLE_PATH) replyPage(response, 'style')
  else if (!invoice)
    replyPage(response, { status: 404, html: pageDocument('No such invoice', notFound) })
  else if (method === 'POST' && action === '/pay') {
    pay(served, invoice, new URLSearchParams(text).get('how') ?? '')
    response.writeHead(303, { location: `/i/${invoice.id}` })
    response.end()
  } else
    replyPage(response, {
      status: 200,
      html: pageDocument('Pay invoice', pageBody(served, invoice)),
    })
}

/** The base units that each button pays. */
const amounts: Readonly<Record<string, (price: bigint) => bigint>> = {
  exactly: (price) => price,
  less: (price) => (price + 1n) / 2n,
  more: (price) => price + (price + 3n) / 4n,
  late: (price) => price,
}

function pay({ store }: Served, invoice: Invoice, how: string): void {
  if (how === 'confirm') {
    for (const { id, status } of store.payments(invoice.id))
      if (status === 'Processing') store.confirm(id)
    return
  }
  const amount = amounts[how]
  const [methodId = ''] = invoice.methods
  if (!amount) return
  if (how === 'late') store.expire(invoice.id)
  store.pay(invoice.id, methodId, amount(BigInt(invoice.prices[methodId] ?? '0')))
}

const statusWords: Readonly<Record<Invoice['status'], string>> = {
  New: 'Awaiting payment',
  Processing: 'Awaiting confirmation',
  Settled: 'Paid',
  Expired: 'Expired',
  Invalid: 'Invalid',
}

const additionalWords: Readonly<Record<Invoice['additional'], string>> = {
  None: '',
  PaidLate: 'The payment came late.',
  PaidPartial: 'A part of the amount was paid.',
  PaidOver: 'More than the amount was paid.',
}

const paymentWords: Readonly<Record<Payment['status'], string>> = {
  Processing: 'Unconfirmed',
  Settled: 'Confirmed',
  Invalid: 'Dropped',
}

function pageBody({ store }: Served, invoice: Invoice): string {
  const method = methodOf(invoice.methods[0] ?? '')
  if (!method) throw new Error(`invoice ${invoice.id} has no payment method`)
  const payments = store.payments(invoice.id)
  const units = BigInt(invoice.prices[method.id] ?? '0')
  const price = `${formatUnits(units, method.decimals)} ${method.currency}`
  const note = additionalWords[invoice.additional]
  const { redirect_url } = invoice
  return `<main class="card">
<p class="sandbox">Sandbox: simulated BTCPay Server. No real money moves.</p>
<h1>${escapeHtml(formatCents(Number(invoice.cents)))} ${escapeHtml(invoice.currency)}</h1>
<p class="status ${invoice.status.toLowerCase()}" role="status">${statusWords[invoice.status]}</p>
${note === '' ? '' : `<p class="muted">${note}</p>`}
<dl>
<dt>Amount</dt><dd><code>${escapeHtml(price)}</code></dd>
<dt>Method</dt><dd>${escapeHtml(method.id)}</dd>
<dt>Address</dt><dd><code>${escapeHtml(destinationOf(store, invoice, method))}</code></dd>
<dt>Pay until</dt><dd>${moment(invoice.expires_at)}</dd>
</dl>
${buttons(invoice, payments)}
${paymentTable(payments, method)}
${redirect_url?.startsWith('http') ? backLink(redirect_url) : ''}
</main>`
}

function backLink(url: string): string {
  return `<p><a href="${escapeHtml(url)}">Back to the registrar</a></p>`
}

function buttons(invoice: Invoice, payments: readonly Payment[]): string {
  const waits = payments.some(({ status }) => status === 'Processing')
  const button = (how: string, label: string, primary: boolean) =>
    `<button class="button${primary ? ' primary' : ''}" name="how" value="${how}">${label}</button>`
  const isNew = invoice.status === 'New'
  return `<form method="post" action="/i/${invoice.id}/pay">
${waits ? button('confirm', 'Confirm now', true) : ''}
${button('exactly', 'Pay exactly', !waits && isNew)}
${button('less', 'Pay less', false)}
${button('more', 'Pay more', false)}
${isNew ? button('late', 'Pay late', false) : ''}
</form>
<p class="muted">A payment is credited once it is confirmed. Less is half, more is a quarter on top;
late ends the time to pay first.</p>`
}

function paymentTable(payments: readonly Payment[], { id, decimals, currency }: Method): string {
  const own = payments.filter(({ method_id }) => method_id === id)
  if (own.length === 0) return ''
  const rows = own.map((payment) => {
    const amount = `${formatUnits(BigInt(payment.units), decimals)} ${currency}`
    return (
      `<tr><td><code>${escapeHtml(payment.id.slice(0, 8))}…</code></td>` +
      `<td class="amount">${escapeHtml(amount)}</td>` +
      `<td>${paymentWords[payment.status]}</td></tr>`
    )
  })
  return `<table>
<caption>Payments</caption>
<thead><tr><th scope="col">Transaction</th><th scope="col" class="amount">Amount</th>
<th scope="col">State</th></tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table>`
}

const notFound = `<main class="card">
<h1>No such invoice</h1>
<p class="muted">This simulated BTCPay Server has no invoice with this address.</p>
</main>`

function moment(time: number): string {
  const iso = new Date(time).toISOString()
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}
