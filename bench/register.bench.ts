// Paid registrations a second, 32 in flight over 1,000 customers, beside pgbench's TPC-B on one
// server.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { runBench } from './support/bench.ts'
import { type BenchCustomer, makeCustomers } from './support/customers.ts'
import { type BenchDatabase, startDatabase } from './support/database.ts'
import { duel } from './support/duel.ts'
import { type Hits, shoot } from './support/load.ts'
import { startRegistries, startService } from './support/programs.ts'
import { say, sayMachine } from './support/report.ts'
import { openTpcb } from './support/tpcb.ts'

const connections = 32
const customers = { count: 1000, cents: 10_000_000 }

/** Every request is another name, and the next customer's. */
function buyer(url: string, buyers: readonly BenchCustomer[]): (seconds: number) => Promise<Hits> {
  const run = randomBytes(4).toString('hex')
  let next = 0
  return (seconds) =>
    shoot({
      url: `${url}/v1/domains`,
      method: 'POST',
      connections,
      seconds,
      body: () => {
        next += 1
        return {
          body: JSON.stringify({ domain: `bench-${run}-${next}.com`, max_price: '20.00' }),
          headers: { authorization: `Bearer ${buyers[next % buyers.length]?.key}` },
        }
      },
    })
}

/** Waits until nothing is under way, then holds what was answered against what is in the books. */
async function audit(db: BenchDatabase, sold: number): Promise<void> {
  const progress = `select count(*)::int as orders,
    (count(*) filter (where closed_at is null))::int as open from orders`
  let quiet = { orders: -1, since: performance.now() }
  for (let tries = 0; tries < 200 && performance.now() - quiet.since < 1000; tries += 1) {
    const [now] = await db.query(progress)
    const orders = Number(now?.orders)
    // The last requests may not have come as far as an order.
    if (now?.open !== 0 || orders !== quiet.orders) quiet = { orders, since: performance.now() }
    await sleep(50)
  }
  const [found = {}] = await db.query(
    `select (select count(*)::int from domains) as domains,
       (select count(*)::int from orders where state = 'succeeded') as paid,
       (select count(*)::int from orders where state <> 'succeeded') as others,
       (select coalesce(sum(amount), 0)::int from ledger_postings) as unbalanced`,
  )
  say()
  say(
    `  answered ${sold}; in the books ${found.domains} domains, ${found.paid} paid orders, ` +
      `${found.others} others, postings sum to ${found.unbalanced}`,
  )
  const others = await db.query(
    `select state, error_code, error_detail, alarm, count(*)::int, max(attempts) as attempts,
       max(now() - created_at)::text as oldest
     from orders where state <> 'succeeded' group by 1, 2, 3, 4`,
  )
  for (const one of others) say(`    ${JSON.stringify(one)}`)
  const right = found.domains === found.paid && found.others === 0 && found.unbalanced === 0
  if (!right || Number(found.paid) < sold) throw new Error('The books do not agree')
}

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
  await audit(db, sold)
})
