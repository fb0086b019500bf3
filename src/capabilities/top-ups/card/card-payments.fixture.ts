// A customer who tops up by card at the simulated Stripe, and the events of its payments.
import assert from 'node:assert/strict'
import { rowsIn } from '../../../../test/support/owner-sql.ts'
import {
  stripeSignature,
  webhookSecret,
} from '../../../../test/support/payments/stripe-signature.ts'
import type { Answer, TestCustomer, TestService } from '../../../../test/support/service.ts'
import { systemCall } from '../../audit/index.ts'
import { readCardCheckouts, readCardRefunds } from './read-card-payments.job.ts'

export const webhook = '/v1/billing/processor/webhook'
let events = 0

export function signedEvent(type: string, object: object, secret = webhookSecret) {
  events += 1
  const body = { id: `evt_${events}`, type, livemode: false, data: { object } }
  return { body, headers: { 'stripe-signature': stripeSignature(JSON.stringify(body), secret) } }
}

/** `processor`: the node's own, unless its settings name another. */
export function cardPayments(registrar: TestService, processor = registrar.payments?.processor) {
  if (!processor) throw new Error('the node has no simulated Stripe')
  const { app } = registrar.service
  const rows = rowsIn(registrar)

  const pathOf = ({ id }: TestCustomer) => `/v1/customers/${id}/billing/processor/checkouts`
  const ask = (buyer: TestCustomer, path: string) =>
    registrar.request('GET', path, { token: buyer.key })

  async function open(buyer: TestCustomer, amount_cents = 2_500, currency = 'USD') {
    const options = { token: buyer.key, body: { amount_cents, currency } }
    const made = await registrar.request('POST', pathOf(buyer), options)
    assert.equal(made.status, 201, made.text)
    const session = String(made.body.url).split('/').at(-1) ?? ''
    return { id: String(made.body.id), session, body: made.body }
  }

  /** A signed event; only its subject counts. */
  function send(type: string, object: object, secret = webhookSecret): Promise<Answer> {
    return registrar.request('POST', webhook, signedEvent(type, object, secret))
  }

  return {
    processor,
    rows,
    open,
    send,
    buyer: (options = {}) => {
      const scopes = ['billing:read', 'billing:write', 'domains:purchase', 'audit:read']
      return registrar.customer({ funds_cents: 0, scopes, ...options })
    },
    read: (buyer: TestCustomer, id: string) => ask(buyer, `${pathOf(buyer)}/${id}`),
    list: (buyer: TestCustomer, query = '') => ask(buyer, `${pathOf(buyer)}${query}`),
    sessionEvent: (id: string, type = 'completed') =>
      send(`checkout.session.${type}`, { object: 'checkout.session', id }),
    intentEvent: (payment_intent: string, type = 'charge.refunded') =>
      send(type, { object: 'charge', payment_intent }),
    /** Its session may be read again at once. */
    evictReading: (id: string) =>
      rows(`update card_checkouts set read_at = '-infinity' where id = $1`, [id]),
    /** Paid and credited: the intent. */
    async topUp(buyer: TestCustomer, amount_cents = 2_500): Promise<string> {
      const { session } = await open(buyer, amount_cents)
      const { id } = processor.pay(session)
      await send('checkout.session.completed', { object: 'checkout.session', id: session })
      return id
    },
    async balance({ id, key: token }: TestCustomer, currency = 'USD') {
      const path = `/v1/customers/${id}/billing/balance?currency=${currency}`
      const { body } = await registrar.request('GET', path, { token })
      return { available: String(body.available), owed: String(body.owed) }
    },
    async invoices({ id, key: token }: TestCustomer) {
      const { body } = await registrar.request('GET', `/v1/customers/${id}/billing/invoices`, {
        token,
      })
      return body.invoices.map((one: Record<string, string>) => [one.kind, one.total_amount])
    },
    /** Both jobs until nothing is due. */
    async runJobs() {
      for (const job of [readCardCheckouts, readCardRefunds])
        while ((await job.run(app, systemCall(app, job.name))).more);
    },
    alarms: (name: string) => registrar.logs.filter((line) => line.includes(`"alarm":"${name}"`)),
  }
}
