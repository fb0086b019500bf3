// Paid registrations per second under the limits of a key and through a chain of three keys that
// each have a budget, compared with keys without limits.
import { runBench } from './support/bench.ts'
import { buyer, connections } from './support/buyer.ts'
import { type BenchCustomer, makeCustomers } from './support/customers.ts'
import { startDatabase } from './support/database.ts'
import { checkLedger } from './support/ledger-check.ts'
import { duel } from './support/paired-rounds.ts'
import { operatorKey, startRegistries, startService } from './support/programs.ts'
import { say, sayMachine } from './support/report.ts'

const customers = { count: 300, cents: 100_000_000 }
const scopes = ['domains:purchase', 'domains:read', 'keys:write']
/** Every limit that a purchase is checked against. */
const limits = {
  spend_limit: { amount: '900000.00', currency: 'USD', window: 'month' },
  max_price: { amount: '50.00', currency: 'USD' },
  allowed_tlds: ['com', 'net'],
  allowed_domains: ['bench-*.com'],
  allowed_ips: ['127.0.0.0/8'],
}

/**
 * Makes a key with these limits for each customer, by the customer's newest key, or by an operator
 * if there is none yet.
 */
async function limitedKeys(
  url: string,
  { of, by }: { of: readonly BenchCustomer[]; by?: string },
): Promise<BenchCustomer[]> {
  const made: BenchCustomer[] = []
  for (const { id, key } of of) {
    const response = await fetch(`${url}/v1/customers/${id}/api-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${by ?? key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ scopes, ...limits }),
    })
    if (response.status !== 201) throw new Error(await response.text())
    const { api_key }: { api_key: string } = JSON.parse(await response.text())
    made.push({ id, key: api_key })
  }
  return made
}

await runBench(async (bench) => {
  const db = await startDatabase(bench)
  const registries = await startRegistries(bench)
  const service = await startService(bench, {
    database_url: db.url,
    registries: registries.environment,
  })
  const free = await makeCustomers(service.url, customers)
  const limited = await limitedKeys(service.url, { of: free, by: operatorKey })
  const second = await limitedKeys(service.url, { of: limited })
  const chained = await limitedKeys(service.url, { of: second })
  const pids = { service: service.pid, postgres: db.pid, registry: registries.pid }
  let sold = 0
  const sideOf = (keys: readonly BenchCustomer[]) => {
    const buy = buyer(service.url, keys)
    const run = async (seconds: number) => {
      const hits = await buy(seconds)
      sold += hits.count
      return hits
    }
    return { pids, run }
  }
  sayMachine(
    `POST /v1/domains, ${connections} in flight over ${customers.count} customers`,
    db.words,
  )
  const cases = [
    { title: 'one key with every limit, beside one without', keys: limited, aim: 0.9 },
    {
      title: 'the last of three keys, each with every limit, beside none',
      keys: chained,
      aim: 0.8,
    },
  ]
  for (const { title, keys, aim } of cases) {
    say(title)
    const sides = { product: sideOf(keys), peer: sideOf(free) }
    await duel(bench, { unit: 'paid/s', one: 'purchase', aim, service, ...sides })
    say()
  }
  await checkLedger(db, sold)
})
