// Credited payments per second, 32 in flight over 1,000 customers, compared with pgbench's TPC-B on
// one server. Each credit is an invoice with the next number, a transfer and an audit row.
import { randomBytes } from 'node:crypto'
import { runBench } from './support/bench.ts'
import { type BenchCustomer, makeCustomers } from './support/customers.ts'
import { startDatabase } from './support/database.ts'
import { type Hits, shoot } from './support/http-load.ts'
import { checkCredits } from './support/ledger-check.ts'
import { duel } from './support/paired-rounds.ts'
import { operatorKey, startRegistries, startService } from './support/programs.ts'
import { sayMachine } from './support/report.ts'
import { openTpcb } from './support/tpcb.ts'

const connections = 32
const customers = { count: 1000, cents: 0 }
const amount_cents = 2_500

/** Every request is another payment, made by the next customer. */
function payer(url: string, payers: readonly BenchCustomer[]): (seconds: number) => Promise<Hits> {
  const run = randomBytes(4).toString('hex')
  let next = 0
  return (seconds) =>
    shoot({
      url: `${url}/v1/internal/billing/processor/top-ups`,
      method: 'POST',
      connections,
      seconds,
      body: () => {
        next += 1
        return {
          body: JSON.stringify({
            customer_id: payers[next % payers.length]?.id,
            amount_cents,
            currency: 'USD',
            processor_checkout_session_id: `cs_bench_${run}_${next}`,
          }),
          headers: { authorization: `Bearer ${operatorKey}` },
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
  const payers = await makeCustomers(service.url, customers)
  const tpcb = await openTpcb(db.query, db.urlOf)
  const pay = payer(service.url, payers)
  let credited = 0
  sayMachine(
    `Credits, ${connections} in flight over ${customers.count} customers; ${tpcb.words}`,
    db.words,
  )
  await duel(bench, {
    unit: 'credited/s',
    one: 'credit',
    aim: 0.2,
    service,
    product: {
      pids: { service: service.pid, postgres: db.pid },
      run: async (seconds) => {
        const hits = await pay(seconds)
        credited += hits.count
        return hits
      },
    },
    peer: { pids: { postgres: db.pid }, run: tpcb.run },
  })
  await checkCredits(db, { least: credited, amount_cents })
})
