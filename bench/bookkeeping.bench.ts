// The trial balance and the CSV export of all transfers, each compared with one statement of
// PostgreSQL, and the memory that the service uses meanwhile.
import { parseArgs } from 'node:util'
import { runBench } from './support/bench.ts'
import { type BenchDatabase, startDatabase } from './support/database.ts'
import { memoryOf } from './support/processes.ts'
import { operatorKey, startRegistries, startService } from './support/programs.ts'
import { say, sayMachine, shown } from './support/report.ts'

const { values } = parseArgs({
  strict: false,
  options: { transfers: { type: 'string', default: '1000000' } },
})
const transfers = Number(values.transfers)
if (!(transfers >= 1_000 && transfers <= 100_000_000)) throw new RangeError('--transfers 1000000')

const own = { options: ['transfers'], longest_ms: 60 * 60_000 }

await runBench(async (bench) => {
  const db = await startDatabase(bench)
  const { environment } = await startRegistries(bench)
  const service = await startService(bench, { database_url: db.url, registries: environment })
  await load(db)
  sayMachine(`Bookkeeping on ${shown(transfers)} transfers`, db.words)
  const headers = { authorization: `Bearer ${operatorKey}` }
  const memory = () => memoryOf(service.pid)[0]?.rss_mb ?? Number.NaN
  const get = async (path: string) => {
    const response = await fetch(`${service.url}/v1/internal/ledger/${path}`, { headers })
    if (!response.ok || !response.body) throw new Error(`${response.status} of ${path}`)
    return response.body
  }
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now()
    const result = await work()
    const seconds = (performance.now() - start) / 1000
    say(`${name}: ${shown(seconds)} s, ${shown(transfers / seconds)} transfers/s`)
    return result
  }
  for (const round of [1, 2]) {
    say(`Round ${round}; the service holds ${shown(memory())} MB`)
    await timed('  trial balance, compared with customers and payments', async () => {
      const report = await new Response(await get('trial-balance')).json()
      if (!Object(report).sound) throw new Error(JSON.stringify(report))
    })
    await timed('  peer: one sum by accounts in PostgreSQL', () =>
      db.query(`select debit_account, phase, sum(amount) from ledger_transfers group by 1, 2`),
    )
    let most = 0
    const lines = await timed('  export as CSV', async () => {
      const sampling = setInterval(() => {
        most = Math.max(most, memory())
      }, 500)
      let found = 0
      for await (const chunk of await get('transfers?from=2000-01-01&to=2999-12-31&format=csv'))
        for (const byte of chunk) if (byte === 10) found += 1
      clearInterval(sampling)
      return found
    })
    if (lines !== transfers + 1) throw new Error(`${lines} lines`)
    await timed('  peer: COPY of the table', () =>
      db.query(`copy ledger_transfers to '/dev/null' with (format csv)`),
    )
    say(`  most memory of the service during the export: ${shown(most)} MB`)
  }
}, own)

/** Payments of more than a thousand customers, of whom the first made a twentieth. */
async function load(db: BenchDatabase): Promise<void> {
  const customers = Math.max(1_000, Math.round(transfers / 25))
  const number = `case when i % 20 = 0 then 0 else i % ${customers} end`
  const owner = `'cus_' || lpad((${number})::text, 26, '0')`
  await db.query(`set session_replication_role = replica; set synchronous_commit = off;
    insert into customers (id, email, name, created_at, updated_at)
      select 'cus_' || lpad(i::text, 26, '0'), 'c' || i || '@example.com', 'C', now(), now()
        from generate_series(0, ${customers - 1}) i;
    insert into ledger_accounts (code, customer_id, currency, available, held, owed)
      select 'customer', o.id, 'USD', 100 * count(*), 0, 0
        from (select ${owner} as id from generate_series(1, ${transfers}) i) o group by o.id;
    insert into ledger_transfers (debit_account, credit_account, customer_account, customer_id,
        currency, amount, phase, code, available_after, held_after, description, payment_id,
        created_at)
      select p.id, a.id, a.id, a.customer_id, 'USD', 100, 'single', 'top_up', 100, 0,
             'Card top-up', 'processor/cs' || i,
             now() - (${transfers} - i) * interval '1 second'
        from generate_series(1, ${transfers}) i
        join ledger_accounts a on a.customer_id = ${owner}
        join ledger_accounts p on p.code = 'processor' and p.currency = 'USD'
       order by i;
    insert into payments (id, customer_id, currency, amount, account, transfer_id, created_at)
      select payment_id, customer_id, currency, amount, 'processor', id, created_at
        from ledger_transfers;
    reset session_replication_role`)
  await db.query('vacuum analyze')
}
