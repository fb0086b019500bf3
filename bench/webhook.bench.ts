// Deliveries of the payment gateway's webhook per second, 32 in flight over 200 open checkouts,
// compared with a bare Fastify route that runs one select.
import { runBench } from './support/bench.ts'
import { type BenchCustomer, makeCustomers } from './support/customers.ts'
import { startDatabase } from './support/database.ts'
import { shoot } from './support/http-load.ts'
import { duel } from './support/paired-rounds.ts'
import { operatorKey, startPeer, startRegistries, startService } from './support/programs.ts'
import { say, sayMachine } from './support/report.ts'

const connections = 32
const checkouts = { customers: 20, each: 10 }
const webhook_token = 'token-of-the-benchmark'

async function post(url: string, key: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  const answer: Record<string, string> = JSON.parse(await response.text())
  return answer
}

async function openCheckouts(url: string, customers: readonly BenchCustomer[]): Promise<void> {
  for (const { id } of customers) {
    const path = `${url}/v1/customers/${id}`
    const asked = { name: 'bench', scopes: ['billing:write'] }
    const { api_key = '' } = await post(`${path}/api-keys`, operatorKey, asked)
    const checkout = { amount_cents: 2_500, currency: 'USD', asset: 'USDC' }
    for (let made = 0; made < checkouts.each; made += 1)
      await post(`${path}/billing/gateway/checkouts`, api_key, checkout)
  }
}

await runBench(async (bench) => {
  const db = await startDatabase(bench)
  const registries = await startRegistries(bench)
  const gateway = await startPeer(bench, 'simulated-gateway.ts', {})
  const service = await startService(bench, {
    database_url: db.url,
    registries: {
      ...registries.environment,
      ...Object(JSON.parse(gateway.announced)),
      GATEWAY_WEBHOOK_TOKEN: webhook_token,
      CHECKOUT_WATCH_SECONDS: '3600',
    },
  })
  const customers = await makeCustomers(service.url, { count: checkouts.customers, cents: 0 })
  await openCheckouts(service.url, customers)
  const invoices: string[] = JSON.parse(await gateway.ask('invoices'))
  const peer = await startPeer(bench, 'bare-account.ts', {
    DATABASE_URL: db.url,
    CUSTOMER_ID: customers[0]?.id,
  })
  let next = 0
  sayMachine(`${connections} deliveries in flight over ${invoices.length} checkouts`, db.words)
  await duel(bench, {
    unit: 'deliveries/s',
    one: 'delivery',
    aim: 0.2,
    service,
    product: {
      pids: { service: service.pid, postgres: db.pid, gateway: gateway.pid },
      run: (seconds) =>
        shoot({
          url: `${service.url}/v1/billing/gateway/webhook?token=${webhook_token}`,
          method: 'POST',
          connections,
          seconds,
          body: () => {
            next += 1
            const invoiceId = invoices[next % invoices.length]
            const body = { deliveryId: `d${next}`, type: 'InvoiceProcessing', invoiceId }
            return { body: JSON.stringify(body), headers: {} }
          },
        }),
    },
    peer: {
      pids: { peer: peer.pid, postgres: db.pid },
      run: (seconds) => shoot({ url: `${peer.announced}/account`, connections, seconds }),
    },
  })
  const [found = {}] = await db.query('select count(*)::int as payments from payments')
  say(`  payments credited: ${found.payments}`)
  if (found.payments !== 0) throw new Error('Nothing was paid')
})
