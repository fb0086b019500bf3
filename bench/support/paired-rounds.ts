// Alternating rounds of product and peer, so that a machine whose speed varies treats both alike.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import type { Hits } from './http-load.ts'
import { cpuOf } from './processes.ts'
import { sayProfile } from './profile.ts'
import { profileFile, type ServiceProcess } from './programs.ts'
import { median, type Round, say, sayCosts, sayResult, sayRound, shown } from './report.ts'

export type Side = {
  /** Runs one round; `per_s` is in the benchmark's unit. */
  run: (seconds: number) => Promise<Hits>
  /** The processes whose CPU time is reported, by name. The load runs in this process. */
  pids: Record<string, number>
}
type Duel = {
  unit: string
  /** The unit of the costs, such as "request" or "name". */
  one: string
  aim: number
  product: Side
  peer: Side
  /** The process to profile on request. */
  service: ServiceProcess
}
type Cost = Record<string, number>

// Runs until the code is compiled and the pools are open.
const warm_s = 2
// Leaves time for work that a round has not finished.
const pause_ms = 500

export async function duel(bench: Bench, { product, peer, ...duel }: Duel): Promise<void> {
  const rounds: Round[] = []
  const spent = { product: ledger(), peer: ledger() }
  await product.run(warm_s)
  await peer.run(warm_s)
  for (let number = 1; number <= bench.rounds; number += 1) {
    await sleep(pause_ms)
    const theirs = await measured(peer, spent.peer, bench.seconds)
    await sleep(pause_ms)
    const ours = await measured(product, spent.product, bench.seconds)
    const round = { product: ours, peer: theirs }
    rounds.push(round)
    sayRound(number, round, duel.unit)
  }
  bench.results.push(sayResult(rounds, duel))
  for (const [name, { cost, count, seconds, latencies }] of Object.entries(spent)) {
    const p50 = median(latencies.map(([one]) => one))
    const p99 = median(latencies.map(([, other]) => other))
    const words = `the ${name}, p50 ${shown(p50)} ms, p99 ${shown(p99)} ms`
    sayCosts(`${words}; each: a ${duel.one}`, cost, { seconds, units: count })
  }
  if (bench.profile) await profileRound(bench, product, duel.service)
}

/** An extra round that is not counted, because a profile slows down its process. */
async function profileRound(bench: Bench, product: Side, service: ServiceProcess): Promise<void> {
  service.signal('SIGUSR2')
  await product.run(bench.seconds)
  service.signal('SIGUSR2')
  say()
  await sayProfile(profileFile(bench))
}

type Spent = { cost: Cost; count: number; seconds: number; latencies: [number, number][] }

function ledger(): Spent {
  return { cost: {}, count: 0, seconds: 0, latencies: [] }
}

function cpuNow(side: Side): Cost {
  const { user, system } = process.cpuUsage()
  const parts = Object.entries(side.pids).map(([name, pid]) => [name, cpuOf(pid)])
  return { ...Object.fromEntries(parts), load: (user + system) / 1e6 }
}

async function measured(side: Side, spent: Spent, seconds: number): Promise<number> {
  const before = cpuNow(side)
  const start = performance.now()
  const hits = await side.run(seconds)
  spent.seconds += (performance.now() - start) / 1000
  for (const [name, cpu_s] of Object.entries(cpuNow(side)))
    spent.cost[name] = (spent.cost[name] ?? 0) + cpu_s - (before[name] ?? 0)
  spent.count += hits.count
  spent.latencies.push([hits.p50_ms, hits.p99_ms])
  return hits.per_s
}
