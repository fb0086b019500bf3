// Names per second of POST /v1/domains/check (200 names, depth confirm), compared with our EPP
// client alone.
import { runBench } from './support/bench.ts'
import { makeCustomers } from './support/customers.ts'
import { startDatabase } from './support/database.ts'
import { type Hits, shoot } from './support/http-load.ts'
import { checkLists, inFlight, namesEach } from './support/names.ts'
import { duel, type Side } from './support/paired-rounds.ts'
import { startPeer, startRegistries, startService } from './support/programs.ts'
import { say, sayMachine } from './support/report.ts'

// The response time of a registry in the same city.
const distant_ms = 10

function perName(hits: Hits): Hits {
  return { ...hits, count: hits.count * namesEach, per_s: hits.per_s * namesEach }
}

await runBench(async (bench) => {
  const db = await startDatabase(bench)
  const registries = await startRegistries(bench)
  const { environment } = registries
  const service = await startService(bench, { database_url: db.url, registries: environment })
  const [customer] = await makeCustomers(service.url, { count: 1, cents: 0 })
  const raw = await startPeer(bench, 'raw-check.ts', environment)
  const bodies = checkLists().map((domains) => JSON.stringify({ domains, depth: 'confirm' }))
  let next = 0
  const nextBody = () => {
    next += 1
    return { body: bodies[next % bodies.length] ?? '', headers: {} }
  }
  const url = `${service.url}/v1/domains/check`
  const headers = { authorization: `Bearer ${customer?.key}` }
  const product: Side = {
    pids: { service: service.pid, registry: registries.pid, postgres: db.pid },
    run: async (seconds) => {
      const shot = { url, headers, method: 'POST', connections: inFlight, seconds } as const
      return perName(await shoot({ ...shot, body: nextBody }))
    },
  }
  const peer: Side = {
    pids: { client: raw.pid, registry: registries.pid },
    run: async (seconds) => {
      const start = performance.now()
      const { count, p50_ms, p99_ms } = JSON.parse(await raw.ask(String(seconds)))
      const per_s = (count * 1000) / (performance.now() - start)
      return perName({ count, per_s, p50_ms, p99_ms })
    },
  }
  const both = { unit: 'names/s', one: 'name', aim: 0.9, service, product, peer }

  sayMachine(
    `Checks of ${namesEach} names, ${inFlight} in flight, 4 sessions of 50 names a command`,
    db.words,
  )
  say('The registry answers at once, so that the CPU of the client is the limit:')
  await duel(bench, both)
  say()
  say(`It answers after ${distant_ms} ms, so that the sessions are the limit:`)
  await registries.answerAfter(distant_ms)
  await duel({ ...bench, profile: false }, both)
})
