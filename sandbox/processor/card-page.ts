// The payment page of a checkout session, with buttons in place of a card. It is plain HTML without
// scripts.
import type { ServerResponse } from 'node:http'
import { formatCents } from '../support/money.ts'
import { escapeHtml, pageDocument, replyPage, STYLE_PATH } from '../support/payment-html.ts'
import type { Session } from './processor-records.ts'
import type { ProcessorStore } from './processor-store.ts'

type Asked = { method: string; url: URL; text: string; response: ServerResponse }

export function serveCardPage(store: ProcessorStore, { method, url, text, response }: Asked): void {
  const [, id = ''] = /^\/c\/pay\/(\w+)$/.exec(url.pathname) ?? []
  const session = store.session(id)
  if (method === 'GET' && url.pathname === STYLE_PATH) replyPage(response, 'style')
  else if (!session)
    replyPage(response, { status: 404, html: pageDocument('No such session', absent) })
  else if (method === 'POST') {
    const location = act(store, session, new URLSearchParams(text).get('how') ?? '')
    response.writeHead(303, { location: location ?? url.pathname }).end()
  } else {
    const form_targets = [new URL(session.success_url).origin]
    const html = pageDocument('Pay by card', bodyOf(session))
    replyPage(response, { status: 200, html, form_targets })
  }
}

/** The URL to which the browser goes afterwards, or null to show the page again. */
function act(store: ProcessorStore, session: Session, how: string): string | null {
  const { id, intent_id, status, payment_status } = session
  const back = session.success_url.replace('{CHECKOUT_SESSION_ID}', id)
  if (status === 'open' && (how === 'pay' || how === 'later')) {
    store.pay(id, how === 'later')
    return how === 'pay' ? back : null
  }
  const isProcessing = status === 'complete' && payment_status === 'unpaid' && intent_id !== null
  if (isProcessing && (how === 'succeed' || how === 'fail'))
    store.settle(intent_id, how === 'succeed')
  return null
}

function statusOf({ status, payment_status }: Session): { word: string; style: string } {
  if (status === 'open') return { word: 'Awaiting payment', style: 'new' }
  if (status === 'expired') return { word: 'Expired', style: 'expired' }
  if (payment_status === 'paid') return { word: 'Paid', style: 'settled' }
  return { word: 'Not paid yet', style: 'processing' }
}

function bodyOf(session: Session): string {
  const { word, style } = statusOf(session)
  const { cancel_url, status } = session
  const isSafe = cancel_url?.startsWith('http') === true
  return `<main class="card">
<p class="sandbox">Sandbox: simulated Stripe. No real money moves, and no card is needed.</p>
<h1>${formatCents(session.amount)} ${escapeHtml(session.currency.toUpperCase())}</h1>
<p class="status ${style}" role="status">${word}</p>
<dl>
<dt>For</dt><dd>${escapeHtml(session.description)}</dd>
<dt>Session</dt><dd><code>${escapeHtml(session.id)}</code></dd>
</dl>
<form method="post">
${buttonsOf(session)}
</form>
<p class="muted">A bank debit takes days; this page then decides whether it succeeds.</p>
${status === 'open' && isSafe ? `<p><a href="${escapeHtml(cancel_url ?? '')}">Cancel</a></p>` : ''}
</main>`
}

function buttonsOf({ status, payment_status, intent_id }: Session): string {
  const button = (how: string, label: string, kind = '') =>
    `<button class="button${kind}" name="how" value="${how}">${label}</button>`
  if (status === 'open')
    return button('pay', 'Pay', ' primary') + button('later', 'Pay by bank debit')
  if (status === 'complete' && payment_status === 'unpaid' && intent_id !== null)
    return button('succeed', 'The debit succeeds') + button('fail', 'The debit fails')
  return ''
}

const absent = `<main class="card">
<h1>No such session</h1>
<p class="muted">This simulated Stripe has no checkout session with this address.</p>
</main>`
