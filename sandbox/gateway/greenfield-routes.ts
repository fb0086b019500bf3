// The routes of the simulated Greenfield API (BTCPay Server 2). The routes of one invoice are below
// /invoices since 2026, and were below /stores/{id}/invoices before.
import { randomBytes } from 'node:crypto'
import type { JsonAnswer } from '../support/http-faults.ts'
import type { WebhookSender } from '../support/webhook-sender.ts'
import { parseUnits } from './decimals.ts'
import { invoiceView, methodViews } from './greenfield-views.ts'
import { METHODS } from './payment-methods.ts'
import type { Invoice, Store, StoreEvent, Webhook } from './store.ts'

export type Fields = Record<string, unknown>
export type Settings = {
  /** The path below which the routes of one invoice are. */
  invoice_routes: 'invoices' | 'stores'
}
export type Served = {
  store: Store
  webhooks: WebhookSender<StoreEvent>
  settings: Settings
  base_url: () => string
}
/** `ids` are those in the path, except the store's. */
type Asked = { ids: string[]; body: Fields; query: URLSearchParams }
type Run = (served: Served, asked: Asked) => JsonAnswer
type Route = {
  method: string
  path: RegExp
  command: string
  of?: Settings['invoice_routes']
  run: Run
}

const MINUTE_MS = 60_000

export class Refusal extends Error {
  readonly answer: JsonAnswer

  constructor(status: number, code: string, message: string) {
    super(message)
    this.answer = { status, body: { code, message } }
  }
}

/** The first `{}` of a path below /stores is the store's id. */
function route(line: string, command: string, run: Run): Route {
  const [method = '', path = ''] = line.split(' ')
  return { method, path: pattern(path), command, run }
}

function pattern(path: string): RegExp {
  return new RegExp(`^/api/v1${path.replaceAll('{}', '([A-Za-z0-9_-]+)')}$`)
}

/** Both forms of a route of one invoice. */
function invoiceRoute(line: string, command: string, run: Run): Route[] {
  const [method = '', path = ''] = line.split(' ')
  return [
    { method, path: pattern(`/invoices/{}${path}`), command, of: 'invoices', run },
    { method, path: pattern(`/stores/{}/invoices/{}${path}`), command, of: 'stores', run },
  ]
}

const ROUTES: readonly Route[] = [
  route('POST /stores/{}/invoices', 'invoice:create', createInvoice),
  route('GET /stores/{}/invoices', 'invoice:list', listInvoices),
  route('GET /stores/{}/payment-methods', 'store:methods', () => ({
    status: 200,
    body: METHODS.map(({ id }) => ({ paymentMethodId: id, enabled: true })),
  })),
  route('GET /stores/{}/rates', 'rates:read', readRates),
  route('POST /stores/{}/webhooks', 'webhook:create', createWebhook),
  route('GET /stores/{}/webhooks', 'webhook:list', ({ store }) => ({
    status: 200,
    body: [...store.rows.tables.webhook.values()].map(webhookView),
  })),
  route('DELETE /stores/{}/webhooks/{}', 'webhook:delete', ({ store }, { ids }) => {
    store.rows.tables.webhook.remove(webhookOf(store, ids).id)
    store.rows.commit()
    return { status: 200, body: null }
  }),
  route(
    'GET /stores/{}/webhooks/{}/deliveries',
    'delivery:list',
    ({ store, webhooks }, { ids }) => ({
      status: 200,
      body: webhooks.deliveries(webhookOf(store, ids).id).map(({ id, status }) => {
        return { id, httpCode: status, status: status === 200 ? 'HttpSuccess' : 'Failed' }
      }),
    }),
  ),
  route('POST /stores/{}/webhooks/{}/deliveries/{}/redeliver', 'delivery:redeliver', redeliver),
  ...invoiceRoute('GET ', 'invoice:read', (served, { ids }) => ({
    status: 200,
    body: invoiceView(served.store, mustInvoice(served.store, ids), served.base_url()),
  })),
  ...invoiceRoute('GET /payment-methods', 'methods:read', ({ store }, { ids, query }) => ({
    status: 200,
    body: methodViews(
      store,
      mustInvoice(store, ids),
      query.get('onlyAccountedPayments') === 'false',
    ),
  })),
  ...invoiceRoute('POST /payment-methods/{}/activate', 'methods:activate', ({ store }, { ids }) => {
    const { methods } = mustInvoice(store, ids)
    if (methods.includes(ids[1] ?? '')) return { status: 200, body: null }
    throw new Refusal(404, 'paymentmethod-not-found', 'There is no such payment method')
  }),
]

type Matched = { command: string; run: () => JsonAnswer }

/** The route, or null if no route has this path or the path names another store. */
export function matchRoute(
  served: Served,
  at: { method: string; url: URL; body: Fields },
): Matched | null {
  for (const { method, path, command, of, run } of ROUTES) {
    if (method !== at.method || (of !== undefined && of !== served.settings.invoice_routes))
      continue
    const found = path.exec(at.url.pathname)
    if (!found) continue
    const all = found.slice(1).map((part) => part ?? '')
    const isBelowStore = at.url.pathname.startsWith('/api/v1/stores/')
    if (isBelowStore && all[0] !== served.store.id) return null
    const ids = isBelowStore ? all.slice(1) : all
    const asked = { ids, body: at.body, query: at.url.searchParams }
    return { command, run: () => run(served, asked) }
  }
  return null
}

function mustInvoice(store: Store, [id = '']: readonly string[]): Invoice {
  const invoice = store.invoice(id)
  if (invoice) return invoice
  throw new Refusal(404, 'invoice-not-found', 'The invoice was not found')
}

function createInvoice(served: Served, { body }: Asked): JsonAnswer {
  const checkout = fieldsOf(body.checkout)
  const minutes = (name: string, usual: number) => {
    const value = checkout[name] ?? usual
    if (typeof value !== 'number' || !(value >= 0)) throw invalid(`checkout.${name}`)
    return value * MINUTE_MS
  }
  const cents = parseUnits(String(body.amount ?? ''), 2)
  if (cents === null || cents === 0n) throw invalid('amount')
  const currency = String(body.currency ?? 'USD')
  if (!METHODS.every(({ rates }) => Object.hasOwn(rates, currency))) throw invalid('currency')
  const asked = checkout.paymentMethods ?? METHODS.map(({ id }) => id)
  const known = Array.isArray(asked) && asked.every((id) => METHODS.some((one) => one.id === id))
  if (!known) throw invalid('checkout.paymentMethods')
  const invoice = served.store.create({
    cents,
    currency,
    metadata: fieldsOf(body.metadata),
    methods: asked.map(String),
    speed_policy: String(checkout.speedPolicy ?? 'MediumSpeed'),
    redirect_url: typeof checkout.redirectURL === 'string' ? checkout.redirectURL : null,
    expires_after_ms: minutes('expirationMinutes', 15),
    monitored_ms: minutes('monitoringMinutes', 1_440),
  })
  return { status: 200, body: invoiceView(served.store, invoice, served.base_url()) }
}

function listInvoices({ store, base_url }: Served, { query }: Asked): JsonAnswer {
  const orders = query.getAll('orderId')
  const found = store
    .invoices()
    .filter(({ metadata }) => orders.length === 0 || orders.includes(String(metadata.orderId)))
    .reverse()
  return { status: 200, body: found.map((invoice) => invoiceView(store, invoice, base_url())) }
}

function readRates(_served: Served, { query }: Asked): JsonAnswer {
  const body = query.getAll('currencyPair').map((currencyPair) => {
    const [coin, currency = ''] = currencyPair.split('_')
    const rate = METHODS.find((method) => method.currency === coin)?.rates[currency]
    return rate
      ? { currencyPair, errors: [], rate }
      : { currencyPair, errors: ['RateUnavailable'], rate: null }
  })
  return { status: 200, body }
}

function createWebhook({ store }: Served, { body }: Asked): JsonAnswer {
  const url = String(body.url ?? '')
  if (!URL.canParse(url)) throw invalid('url')
  const events = fieldsOf(body.authorizedEvents)
  const listed = Array.isArray(events.specificEvents) ? events.specificEvents.map(String) : []
  const webhook: Webhook = {
    id: randomBytes(12).toString('base64url'),
    url,
    secret: typeof body.secret === 'string' ? body.secret : randomBytes(20).toString('hex'),
    events: events.everything === false ? listed : null,
  }
  store.rows.tables.webhook.put(webhook.id, webhook)
  store.rows.commit()
  return { status: 200, body: { ...webhookView(webhook), secret: webhook.secret } }
}

function webhookView({ id, url, events }: Webhook): object {
  const authorizedEvents = { everything: events === null, specificEvents: events ?? [] }
  return { id, enabled: true, automaticRedelivery: true, url, authorizedEvents }
}

function webhookOf(store: Store, [id = '']: readonly string[]): Webhook {
  const webhook = store.rows.tables.webhook.get(id)
  if (webhook) return webhook
  throw new Refusal(404, 'webhook-not-found', 'The webhook was not found')
}

function redeliver({ store, webhooks }: Served, { ids }: Asked): JsonAnswer {
  const id = webhooks.redeliver(webhookOf(store, ids), ids[1] ?? '')
  if (id === null) throw new Refusal(404, 'webhookdelivery-not-found', 'There is no such delivery')
  return { status: 200, body: id }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function invalid(path: string): Refusal {
  const refusal = new Refusal(422, 'invalid', `${path} is invalid`)
  refusal.answer.body = [{ path, message: refusal.message }]
  return refusal
}
