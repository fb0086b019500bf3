// CPU time of a rate-limited request by the number of distinct addresses: 10, 50,000 and 500,000.
import type { Database } from '../src/db/database.ts'
import { openLimits, type Policy } from '../src/rate-limits/leased-quotas.ts'
import { runBench } from './support/bench.ts'
import { median, say, sayMachine, shown } from './support/report.ts'

const takes = 200_000
const policy: Policy = { name: 'requests', quota: 1_000_000, window_s: 3_600 }

/** Each lease is granted at once, so that only the node's own part is measured. */
const granting: Pick<Database, 'one'> = {
  one: async () => Object({ granted: 1_000, left: 1_000_000, resets_s: 3_600 }),
}

async function cost_us(addresses: number): Promise<{ first: number; later: number }> {
  const limits = openLimits({ ...granting, run: never, maybe: never, count: never })
  const key = (i: number) =>
    `address:2001:db8:${(i >> 16).toString(16)}:${(i & 0xffff).toString(16)}::/64`
  const spend = async (count: number, of: (i: number) => number) => {
    const before = process.cpuUsage()
    for (let i = 0; i < count; i += 1) await limits.take(policy, key(of(i)), 1)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / count
  }
  const first = await spend(addresses, (i) => i)
  return { first, later: await spend(takes, (i) => i % addresses) }
}

async function never(): Promise<never> {
  throw new Error('not asked here')
}

await runBench(async (bench) => {
  sayMachine('A take of one unit, in CPU time', 'no database: every lease is granted at once')
  await cost_us(10)
  for (const addresses of [10, 50_000, 500_000]) {
    const rounds: { first: number; later: number }[] = []
    for (let round = 0; round < bench.rounds; round += 1) rounds.push(await cost_us(addresses))
    const of = (side: 'first' | 'later') => shown(median(rounds.map((one) => one[side])))
    const count = addresses.toLocaleString('en').padStart(8)
    say(`  ${count} addresses: ${of('first')} us the first time, ${of('later')} us later on`)
  }
})
