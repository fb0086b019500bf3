// Poll queue: latency from a registry's message to our status, and throughput of draining a full
// queue.
import { setTimeout as sleep } from 'node:timers/promises'
import { runBench } from './support/bench.ts'
import { makeCustomers } from './support/customers.ts'
import { startDatabase } from './support/database.ts'
import { attempt, each, makeHoldings, must, openThin, transferCode } from './support/holdings.ts'
import { cpuOf } from './support/processes.ts'
import { sayProfile } from './support/profile.ts'
import { profileFile, startRegistries, startService } from './support/programs.ts'
import { median, say, sayMachine, shown } from './support/report.ts'

const single = 20
const full = 2_000
const interval_ms = 2_000
const seen = `transfer_out is not null and 'pendingTransfer' = any (epp_statuses)`

await runBench(async (bench) => {
  const db = await startDatabase(bench)
  const registries = await startRegistries(bench)
  const { environment } = registries
  const service = await startService(bench, { database_url: db.url, registries: environment })
  const [customer] = await makeCustomers(service.url, { count: 1, cents: 0 })
  const owner = customer?.id ?? ''
  const own = openThin(bench, registries, { rival: false })
  const rival = openThin(bench, registries, { rival: true })
  sayMachine('Transfers away, asked for by the other registrar: until our status says so', db.words)
  const ask = (domain: string) => {
    const command = { domain, auth_info: transferCode, period_years: 1, fee: null }
    return must(rival.transferRequest(command, attempt()))
  }
  const names = await makeHoldings(db, own, { owner, prefix: 'bench-one', count: single })
  const took: number[] = []
  for (const domain of names) {
    await sleep(Math.random() * interval_ms)
    await ask(domain)
    const start = performance.now()
    const look = `select 1 from domains where name = '${domain}' and ${seen}`
    while ((await db.query(look)).length === 0) await sleep(2)
    took.push(performance.now() - start)
  }
  const longest = Math.max(...took)
  say(
    `  one message: ${shown(median(took))} ms (median of ${single}), ${shown(longest)} ms at most;`,
  )
  say(`  the queue is looked at every ${interval_ms} ms`)

  const many = await makeHoldings(db, own, { owner, prefix: 'bench-many', count: full })
  if (bench.profile) service.signal('SIGUSR2')
  const cpu = { service: cpuOf(service.pid), postgres: cpuOf(db.pid) }
  const start = performance.now()
  await each(many, ask)
  const asked_s = (performance.now() - start) / 1000
  const all = `select count(*)::int as n from domains where name like 'bench-many-%' and ${seen}`
  while (Number((await db.query(all))[0]?.n) < full) await sleep(50)
  const seconds = (performance.now() - start) / 1000
  const us = (from: number, to: number) => shown(((to - from) * 1e6) / full)
  say(`  ${shown(full)} messages (asked for within ${shown(asked_s)} s): ${shown(seconds)} s,`)
  say(`  ${shown(full / seconds)} a second: stored, taken off, the domain read; CPU each: service`)
  say(`  ${us(cpu.service, cpuOf(service.pid))} us, postgres ${us(cpu.postgres, cpuOf(db.pid))} us`)
  if (bench.profile) {
    service.signal('SIGUSR2')
    await sayProfile(profileFile(bench))
  }
  const [twice] = await db.query(
    `select count(*)::int as n from registry_messages where acked_at is null or failures > 0`,
  )
  if (twice?.n !== 0) throw new Error(`${twice?.n} messages were not taken off`)
})
