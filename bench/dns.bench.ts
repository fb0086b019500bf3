// DNS answers per second compared with NSD and Knot, the time from a change to its answer, and the
// CPU time of a change.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Bench, runBench } from './support/bench.ts'
import { makeCustomers } from './support/customers.ts'
import { startDatabase } from './support/database.ts'
import { askMany, outstanding, requireDnsperf } from './support/dns/dnsperf.ts'
import { fillZones, sets_a_zone, writeQuestions } from './support/dns/filled-zones.ts'
import { makeZone, type OwnZone, servedAt } from './support/dns/own-zone.ts'
import { startPeers } from './support/dns/peers.ts'
import { cpuOf } from './support/processes.ts'
import { sayProfile } from './support/profile.ts'
import {
  freePort,
  profileFile,
  type ServiceProcess,
  startRegistries,
  startService,
} from './support/programs.ts'
import { median, say, sayMachine, shown } from './support/report.ts'
import { openTpcb } from './support/tpcb.ts'

const { values } = parseArgs({
  strict: false,
  options: { zones: { type: 'string', default: '10000' } },
})
const zones = Number(values.zones)
if (!(Number.isInteger(zones) && zones > 0)) throw new RangeError('--zones 10000')

const writers = 8
const changes = 200
/** A change is served on every node this long after its answer. */
const most_ms = 1_000

type Pids = Record<string, number>

await runBench(
  async (bench) => {
    requireDnsperf()
    const db = await startDatabase(bench)
    const registries = await startRegistries(bench)
    const ports = [await freePort(), await freePort()]
    const nodes = await Promise.all(
      ports.map(async (port) => {
        const settings = { DNS_PORT: String(port) }
        const options = { database_url: db.url, registries: registries.environment, settings }
        return { port, ...(await startService(bench, options)) }
      }),
    )
    const [node] = nodes
    const [owner] = node ? await makeCustomers(node.url, { count: 1, cents: 100_000 }) : []
    if (!node || !owner) throw new Error('No node')
    const zone = await makeZone(bench, { url: node.url, owner })
    const peers = await startPeers(bench, zone)
    sayMachine(`DNS over UDP, ${outstanding} questions in flight, by dnsperf`, db.words)
    const rcodes = ['NOERROR', 'NXDOMAIN']
    const pids = { service: node.pid, postgres: db.pid }
    const onZone = { questions: zone.questions, rcodes }
    const sides = [
      { name: 'ours', port: node.port, pids, ...onZone },
      ...peers.map(({ name, port, pid }) => ({ name, port, pids: { [name]: pid }, ...onZone })),
    ]
    await answers(bench, sides)
    await fillZones(db, zones)
    const questions = join(bench.folder, 'many-questions')
    writeQuestions(questions, { zones, count: Math.min(zones * sets_a_zone, 400_000) })
    say()
    say(`Beside ${shown(zones)} further zones with ${shown(zones * sets_a_zone)} record sets`)
    const many = { name: 'all zones', port: node.port, pids, questions, rcodes: ['NOERROR'] }
    await answers(bench, [{ ...many }, { ...many, name: 'one zone', ...onZone }])
    await untilServed(zone, ports)
    const tpcb = await openTpcb(db.query, db.urlOf)
    await costOfChanges(bench, zone, { pids, postgres: db.pid, tpcb, service: node })
  },
  { options: ['zones'] },
)

type Side = { name: string; port: number; pids: Pids; questions: string; rcodes: string[] }

/** Runs alternating rounds, and compares the first side with each of the others. */
async function answers(bench: Bench, sides: readonly Side[]): Promise<void> {
  const found = sides.map((side) => ({ side, per_s: [0], mean_ms: [0], us: [0] }))
  for (const one of found) for (const list of [one.per_s, one.mean_ms, one.us]) list.pop()
  for (const { side } of found) await askMany({ ...side, seconds: 2 })
  for (let round = 0; round < bench.rounds; round += 1)
    for (const { side, per_s, mean_ms, us } of found) {
      await sleep(300)
      const before = spent(side.pids)
      const answered = await askMany({ ...side, seconds: bench.seconds })
      per_s.push(answered.per_s)
      mean_ms.push(answered.mean_ms)
      us.push(((spent(side.pids) - before) * 1e6) / answered.count)
    }
  const [first] = found
  const ours = median(first?.per_s ?? [])
  for (const { side, per_s, mean_ms, us } of found) {
    const rate = `${shown(median(per_s))} answers/s`
    const costs = `mean ${shown(median(mean_ms))} ms, CPU ${shown(median(us))} us each`
    const ratio = side === first?.side ? '' : `, ratio ${shown(ours / median(per_s))}`
    say(`  ${side.name.padEnd(10)} ${rate}, ${costs}${ratio}`)
  }
  const others = found.slice(1).map(({ side, per_s }) => {
    return `${shown(median(per_s))} (${side.name}) = **${shown(ours / median(per_s))}**`
  })
  bench.results.push(`${shown(ours)} answers/s / ${others.join(', ')}`)
}

function spent(pids: Pids): number {
  return Object.values(pids).reduce((sum, pid) => sum + cpuOf(pid), 0)
}

/**
 * Makes one change after the other, and asks every node from the moment that the change is sent.
 */
async function untilServed(zone: OwnZone, ports: readonly number[]): Promise<void> {
  const after_answer: number[] = []
  const after_send: number[] = []
  for (let number = 0; number < changes; number += 1) {
    const address = `198.51.100.${number + 1}`
    const sets = [{ host: 'moved', type: 'A', ttl: 60, values: [address] }]
    const sent = performance.now()
    const answered = zone
      .request('PATCH', `/v1/domains/${zone.name}/records`, { sets })
      .then(() => performance.now())
    const places = ports.map((port) => ({ host: '127.0.0.1', port }))
    const served = Promise.all(
      places.map((place) => servedAt(place, `moved.${zone.name}`, address)),
    )
    const last = Math.max(...(await served))
    after_send.push(last - sent)
    after_answer.push(Math.max(0, last - (await answered)))
  }
  const [usual, most] = [median(after_send), Math.max(...after_send)]
  const late = Math.max(...after_answer)
  say()
  say(`  from PATCH until both nodes serve it: median ${shown(usual)} ms, at most ${shown(most)}`)
  say(`  after the answer of PATCH: at most ${shown(late)} ms (limit: ${most_ms})`)
  if (late > most_ms) throw new Error('A change was served too late.')
}

type Costs = {
  pids: Pids
  postgres: number
  tpcb: Awaited<ReturnType<typeof openTpcb>>
  service: Pick<ServiceProcess, 'signal'>
}

async function costOfChanges(
  bench: Bench,
  zone: OwnZone,
  { pids, postgres, tpcb, service }: Costs,
) {
  let done = 0
  const run = async (seconds: number) => {
    const end = performance.now() + seconds * 1000
    const write = async (writer: number) => {
      while (performance.now() < end) {
        done += 1
        const values = [`203.0.113.${done % 250}`]
        const sets = [{ host: `writer-${writer}`, type: 'A', ttl: 60, values }]
        await zone.request('PATCH', `/v1/domains/${zone.name}/records`, { sets })
      }
    }
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  }
  await run(3)
  done = 0
  const before = Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuOf(pid)]))
  const seconds = bench.seconds * bench.rounds
  await run(seconds)
  const parts = Object.entries(pids).map(([name, pid]) => {
    const us = ((cpuOf(pid) - (before[name] ?? 0)) * 1e6) / done
    return { name, us }
  })
  const start = cpuOf(postgres)
  const { count } = await tpcb.run(seconds)
  const unit_us = ((cpuOf(postgres) - start) * 1e6) / count
  const all_us = parts.reduce((sum, { us }) => sum + us, 0)
  say()
  const per_s = done / seconds
  say(`  ${shown(per_s)} changes/s of one zone, ${writers} in flight`)
  for (const { name, us } of parts) say(`    ${name.padEnd(10)} ${shown(us)} us a change`)
  say(`  a transaction of TPC-B: ${shown(unit_us)} us; ratio ${shown(all_us / unit_us)}`)
  // This round is not counted, because a profile slows down its process.
  if (bench.profile) {
    service.signal('SIGUSR2')
    await run(bench.seconds)
    service.signal('SIGUSR2')
    say()
    await sayProfile(profileFile(bench))
  }
  bench.results.push(
    `${shown(per_s)} changes/s; CPU ${shown(all_us)} us a change, ` +
      `${shown(all_us / unit_us)} transactions of TPC-B`,
  )
}
