// Paid renewals per second, 32 in flight over 1,000 customers, compared with pgbench's TPC-B on one
// server.
import { randomBytes } from 'node:crypto'
import { runBench } from './support/bench.ts'
import { type BenchCustomer, makeCustomers } from './support/customers.ts'
import { startDatabase } from './support/database.ts'
import { each } from './support/holdings.ts'
import { type Hits, shoot } from './support/http-load.ts'
import { checkLedger } from './support/ledger-check.ts'
import { duel } from './support/paired-rounds.ts'
import { startRegistries, startService } from './support/programs.ts'
import { sayMachine } from './support/report.ts'
import { openTpcb } from './support/tpcb.ts'

const connections = 32
const customers = { count: 1000, cents: 10_000_000 }
// A domain is registered for one year and can be renewed up to ten.
const renewalsEach = 9
// Above this rate the domains would run out of years.
const fastest_per_s = 2000

type Bought = { domain: string; key: string }

/** Registers the domains that are to be renewed, through the service. */
async function buy(
  url: string,
  buyers: readonly BenchCustomer[],
  count: number,
): Promise<Bought[]> {
  const wanted = Array.from({ length: count }, (_, n) => ({
    domain: `bench-renewed-${n}.com`,
    key: buyers[n % buyers.length]?.key ?? '',
  }))
  await each(wanted, async ({ domain, key }) => {
    const response = await fetch(`${url}/v1/domains`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ domain, max_price: '20.00' }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${domain}: ${response.status} ${text}`)
  })
  return wanted
}

/** Every request renews the next domain, and its key makes it a new renewal instead of a replay. */
function renewer(url: string, domains: readonly Bought[]): (seconds: number) => Promise<Hits> {
  const run = randomBytes(4).toString('hex')
  let next = 0
  return (seconds) =>
    shoot({
      url,
      method: 'POST',
      connections,
      seconds,
      body: () => {
        next += 1
        const { domain = '', key = '' } = domains[next % domains.length] ?? {}
        return {
          path: `/v1/domains/${domain}/renew`,
          body: JSON.stringify({ max_price: '20.00' }),
          headers: { authorization: `Bearer ${key}`, 'idempotency-key': `bench-${run}-${next}` },
        }
      },
    })
}

await runBench(async (bench) => {
  const db = await startDatabase(bench)
  const registries = await startRegistries(bench)
  const service = await startService(bench, {
    database_url: db.url,
    registries: registries.environment,
  })
  const buyers = await makeCustomers(service.url, customers)
  const rounds = bench.rounds + (bench.profile ? 1 : 0)
  const count = Math.ceil(((rounds + 1) * bench.seconds * fastest_per_s) / renewalsEach)
  const domains = await buy(service.url, buyers, count)
  const tpcb = await openTpcb(db.query, db.urlOf)
  const renew = renewer(service.url, domains)
  let sold = domains.length
  sayMachine(
    `POST /v1/domains/{domain}/renew, ${connections} in flight, ${count} domains of ` +
      `${customers.count} customers; ${tpcb.words}`,
    db.words,
  )
  await duel(bench, {
    unit: 'paid/s',
    one: 'renewal',
    aim: 0.35,
    service,
    product: {
      pids: { service: service.pid, postgres: db.pid, registry: registries.pid },
      run: async (seconds) => {
        const hits = await renew(seconds)
        sold += hits.count
        return hits
      },
    },
    peer: { pids: { postgres: db.pid }, run: tpcb.run },
  })
  await checkLedger(db, sold)
})
