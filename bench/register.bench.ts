// Paid registrations per second, 32 in flight over 1,000 customers, compared with pgbench's TPC-B
// on one server.
import { runBench } from './support/bench.ts'
import { buyer, connections } from './support/buyer.ts'
import { makeCustomers } from './support/customers.ts'
import { startDatabase } from './support/database.ts'
import { checkLedger } from './support/ledger-check.ts'
import { duel } from './support/paired-rounds.ts'
import { startRegistries, startService } from './support/programs.ts'
import { sayMachine } from './support/report.ts'
import { openTpcb } from './support/tpcb.ts'

const customers = { count: 1000, cents: 10_000_000 }

await runBench(async (bench) => {
  const db = await startDatabase(bench)
  const registries = await startRegistries(bench)
  const service = await startService(bench, {
    database_url: db.url,
    registries: registries.environment,
  })
  const buyers = await makeCustomers(service.url, customers)
  const tpcb = await openTpcb(db.query, db.urlOf)
  const buy = buyer(service.url, buyers)
  let sold = 0
  sayMachine(
    `POST /v1/domains, ${connections} in flight over ${customers.count} customers; ${tpcb.words}`,
    db.words,
  )
  await duel(bench, {
    unit: 'paid/s',
    one: 'purchase',
    aim: 0.35,
    service,
    product: {
      pids: { service: service.pid, postgres: db.pid, registry: registries.pid },
      run: async (seconds) => {
        const hits = await buy(seconds)
        sold += hits.count
        return hits
      },
    },
    peer: { pids: { postgres: db.pid }, run: tpcb.run },
  })
  await checkLedger(db, sold)
})
