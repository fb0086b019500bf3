// A service with a simulated BTCPay Server, and checkouts of new customers to pay.
import assert from 'node:assert/strict'
import { webhookToken } from '../../../../test/support/node.ts'
import {
  type ServiceOptions,
  startService,
  type TestService,
} from '../../../../test/support/service.ts'
import { systemCall } from '../../audit/index.ts'
import { settleCheckouts } from './watching/settle-checkouts.job.ts'
import { watchCheckouts } from './watching/watch-checkouts.job.ts'

export const webhookSecret = 'webhook-secret-of-tests'
const webhook = '/v1/billing/gateway/webhook'

// biome-ignore lint/suspicious/noExplicitAny: tests read answers by name, as a client would.
type Body = Record<string, any>
type Opened = { id: string; reference: string; method: string; customer: Payer; body: Body }
type Payer = { id: string; key: string }

/** Without a worker, so that nothing happens but by the test. */
export async function gatewayService(options: ServiceOptions = {}) {
  const registrar = await startService({
    worker: false,
    ...options,
    settings: {
      BTCPAY_WEBHOOK_SECRET: webhookSecret,
      ...options.settings,
    },
  })
  const { payments, service, request } = registrar
  assert.ok(payments)
  const { gateway } = payments
  const { app } = service
  const payer = () => registrar.customer({ funds_cents: 0, contact: false, scopes: everything })
  const path = (id: string) => `/v1/customers/${id}/billing`

  async function open(asked: Body = {}, of?: Payer): Promise<Opened> {
    const customer = of ?? (await payer())
    const made = await request('POST', `${path(customer.id)}/gateway/checkouts`, {
      token: customer.key,
      body: { amount_cents: 2_500, currency: 'USD', asset: 'USDC', ...asked },
    })
    assert.equal(made.status, 200, made.text)
    const { body } = made
    const invoice = gateway.invoices().find(({ metadata }) => metadata.orderId === body.id)
    const method = invoice?.methods[0] ?? ''
    return { id: body.id, reference: invoice?.id ?? '', method, customer, body }
  }

  return {
    ...registrar,
    app,
    gateway,
    payer,
    open,
    /** Pays base units, the price if none are given, and confirms them unless asked not to. */
    pay({ reference, method }: Opened, units?: bigint, confirm = true) {
      const invoice = gateway.invoices().find(({ id }) => id === reference)
      const paid = gateway.pay(reference, method, units ?? BigInt(invoice?.prices[method] ?? '0'))
      if (confirm) gateway.confirm(paid.id)
      return paid
    },
    async read({ id, customer }: Opened): Promise<Body> {
      const at = `${path(customer.id)}/gateway/checkouts/${id}`
      return (await request('GET', at, { token: customer.key })).body
    },
    report: ({ id, customer }: Opened, transaction_id = 'none') =>
      request('POST', `${path(customer.id)}/gateway/checkouts/${id}/report`, {
        token: customer.key,
        body: { transaction_id },
      }),
    check: ({ id, customer }: Opened) =>
      request('POST', '/v1/billing/payments/check', {
        token: customer.key,
        body: { checkout_id: id },
      }),
    hook: (body: unknown, options: { token?: string; headers?: Record<string, string> } = {}) =>
      request('POST', `${webhook}?token=${options.token ?? webhookToken}`, {
        body,
        headers: options.headers ?? {},
      }),
    ...moneyReads(registrar),
    watch: () => watchCheckouts.run(app, systemCall(app, 'watch_checkouts')),
    settle: () => settleCheckouts.run(app, systemCall(app, 'settle_checkouts')),
    alarms: (name: string) => registrar.logs.filter((line) => line.includes(`"alarm":"${name}"`)),
  }
}

function moneyReads({ request }: TestService) {
  const path = ({ id }: Payer) => `/v1/customers/${id}/billing`
  return {
    async balance(customer: Payer): Promise<[available: string, owed: string]> {
      const at = `${path(customer)}/balance`
      const { body } = await request('GET', at, { token: customer.key })
      return [body.available, body.owed]
    },
    async invoices(customer: Payer): Promise<Body[]> {
      const at = `${path(customer)}/invoices`
      return (await request('GET', at, { token: customer.key })).body.invoices
    },
  }
}

const everything = ['billing:read', 'billing:write', 'audit:read', 'domains:purchase']
