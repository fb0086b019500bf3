// The sync of 100,000 holdings: its time, commands and memory, and the latency of a check that runs
// beside it.
import { setTimeout as sleep } from 'node:timers/promises'
import { runBench } from './support/bench.ts'
import { makeCustomers } from './support/customers.ts'
import { type BenchDatabase, startDatabase } from './support/database.ts'
import { makeHoldings, openThin } from './support/holdings.ts'
import { shoot } from './support/http-load.ts'
import { cpuOf, memoryOf } from './support/processes.ts'
import { startRegistries, startService } from './support/programs.ts'
import { say, sayMachine, shown } from './support/report.ts'

const count = 100_000
const distant_ms = 10
const step_ms = 250
// A little more than the claim of a batch: holdings that are due later than this have been read.
const unread = `select count(*)::int as left from domain_schedules
  where sync_at < now() + interval '15 min'`

/** All of them are due, and the job does not wait for its schedule. */
async function makeDue(db: BenchDatabase): Promise<void> {
  await db.query('update domain_schedules set sync_at = now()')
  await db.query(`select pg_notify('sandbox_clock', '0')::text`)
}

async function left(db: BenchDatabase): Promise<number> {
  const [row] = await db.query(unread)
  return Number(row?.left)
}

await runBench(async (bench) => {
  const db = await startDatabase(bench)
  const registries = await startRegistries(bench)
  const { environment } = registries
  const service = await startService(bench, { database_url: db.url, registries: environment })
  const [customer] = await makeCustomers(service.url, { count: 1, cents: 0 })
  sayMachine(`The sync of ${shown(count)} holdings at one registry, 4 sessions`, db.words)
  const registry = openThin(bench, registries, { rival: false })
  const owner = customer?.id ?? ''
  await makeHoldings(db, registry, { owner, prefix: 'bench-synced', count })
  const memory = () => memoryOf(service.pid).reduce((sum, { pss_mb }) => sum + pss_mb, 0)
  const before = { memory: memory(), cpu_s: cpuOf(service.pid), db_s: cpuOf(db.pid) }
  const asked = await registries.received('domain:info')

  say('The registry answers at once:')
  await makeDue(db)
  const start = performance.now()
  let most = before.memory
  while ((await left(db)) > 0) {
    most = Math.max(most, memory())
    await sleep(step_ms)
  }
  const seconds = (performance.now() - start) / 1000
  const commands = (await registries.received('domain:info')) - asked
  const [wrong] = await db.query(
    `select count(*)::int as wrong from domains d join domain_schedules s on s.domain_id = d.id
      where s.synced_at is null or d.nameservers = '{}'`,
  )
  const each = (from: number, to: number) => shown(((to - from) * 1e6) / count)
  say(`  ${shown(seconds)} s, ${shown(count / seconds)} holdings/s, ${shown(commands)} commands`)
  say(
    `  service ${shown(before.memory)} MB before, ${shown(most)} MB at most (PSS); CPU each: ` +
      `service ${each(before.cpu_s, cpuOf(service.pid))} us, ` +
      `postgres ${each(before.db_s, cpuOf(db.pid))} us`,
  )
  if (wrong?.wrong !== 0) throw new Error(`${wrong?.wrong} holdings are not as the registry's`)

  say(`It answers after ${distant_ms} ms; a check of one name, one at a time:`)
  await registries.answerAfter(distant_ms)
  const check = (words: string) =>
    shoot({
      url: `${service.url}/v1/domains/check`,
      method: 'POST',
      headers: { authorization: `Bearer ${customer?.key}` },
      body: JSON.stringify({ domains: ['bench-free.com'], depth: 'confirm' }),
      connections: 1,
      seconds: bench.seconds,
    }).then(({ p50_ms, p99_ms }) => say(`  ${words}: p50 ${p50_ms} ms, p99 ${p99_ms} ms`))
  await check('alone          ')
  await makeDue(db)
  const due = await left(db)
  const began = performance.now()
  await check('beside a sync ')
  const per_s = ((due - (await left(db))) * 1000) / (performance.now() - began)
  say(`  the sync meanwhile: ${shown(per_s)} holdings/s on three of the four sessions`)
})
