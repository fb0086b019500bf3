// GET /v1/health during 200 log-ins in flight, and without log-ins, in alternating rounds.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Login } from '../test/support/browser.ts'
import { runBench } from './support/bench.ts'
import { loginOf } from './support/connect-flow.ts'
import { makeCustomers } from './support/customers.ts'
import { startDatabase } from './support/database.ts'
import { type Hits, shoot } from './support/http-load.ts'
import { startPeer, startRegistries, startService } from './support/programs.ts'
import { median, say, sayMachine, shown } from './support/report.ts'

const log_ins = 200
const people = 100
const most_p99_ms = 500

await runBench(async (bench) => {
  const db = await startDatabase(bench)
  const registries = await startRegistries(bench)
  const { environment } = registries
  const service = await startService(bench, {
    database_url: db.url,
    // The load generator sets the address of each client.
    registries: { ...environment, TRUSTED_PROXIES: '127.0.0.1' },
  })
  const customers = await makeCustomers(service.url, { count: people, cents: 0 })
  const logins: Login[] = []
  for (const customer of customers) logins.push(await loginOf(db, customer))
  const program = await startPeer(bench, 'log-in-load.ts', {
    SERVICE_URL: service.url,
    LOGINS: JSON.stringify(logins),
    SIZE: String(log_ins),
  })
  const look = () => {
    const url = `${service.url}/v1/health`
    return shoot({ url, connections: 1, seconds: bench.seconds })
  }
  sayMachine(`GET /v1/health, one after the other, beside ${log_ins} log-ins in flight`, db.words)
  await look()
  const rounds: { alone: Hits; loaded: Hits }[] = []
  for (let number = 1; number <= bench.rounds; number += 1) {
    const alone = await look()
    await program.ask('go')
    await sleep(500)
    const loaded = await look()
    const answers: Record<string, number> = JSON.parse(await program.ask('end'))
    rounds.push({ alone, loaded })
    const statuses = Object.entries(answers)
      .map(([status, count]) => `${count} times ${status}`)
      .join(', ')
    say(
      `  round ${number}: p50 ${alone.p50_ms} / ${loaded.p50_ms} ms, ` +
        `p99 ${alone.p99_ms} / ${loaded.p99_ms} ms; log-ins: ${statuses}`,
    )
  }
  const of = (side: 'alone' | 'loaded', field: 'p50_ms' | 'p99_ms') =>
    median(rounds.map((round) => round[side][field]))
  say()
  for (const field of ['p50_ms', 'p99_ms'] as const) {
    const [alone, loaded] = [of('alone', field), of('loaded', field)]
    const times = shown(loaded / Math.max(1, alone))
    say(`  ${field.slice(0, 3)}: alone ${alone} ms, under load ${loaded} ms, ${times} times`)
  }
  const limit = of('loaded', 'p99_ms') < most_p99_ms ? 'kept' : 'broken'
  say(`  limit: p99 below ${most_p99_ms} ms under load; ${limit}`)
})
