// The time in ms of a whole connect (register, authorize with log-in and consent, token), compared
// with a bare oidc-provider that stores in memory and checks no password.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, openBrowser } from '../test/support/browser.ts'
import { runBench } from './support/bench.ts'
import { type AuthorizationServer, connect, loginOf, serverAt } from './support/connect-flow.ts'
import { makeCustomers } from './support/customers.ts'
import { startDatabase } from './support/database.ts'
import { cpuOf } from './support/processes.ts'
import { startPeer, startRegistries, startService } from './support/programs.ts'
import { median, say, sayCosts, sayMachine, shown } from './support/report.ts'

type Side = {
  name: string
  server: AuthorizationServer
  /** The browser of the next connect: a new one, or one that is logged in. */
  browser: () => Browser
  pids: Record<string, number>
}
type Spent = { took: number[]; cost: Record<string, number>; seconds: number }

const pause_ms = 500

function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN
}

function cpuNow({ pids }: Side): Record<string, number> {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuOf(pid)]))
}

/** Runs one connect after the other. */
async function round(side: Side, spent: Spent, seconds: number): Promise<number> {
  const took: number[] = []
  const before = cpuNow(side)
  const start = performance.now()
  while (performance.now() - start < seconds * 1000)
    took.push((await connect(side.server, side.browser())).ms)
  spent.seconds += (performance.now() - start) / 1000
  for (const [name, cpu_s] of Object.entries(cpuNow(side)))
    spent.cost[name] = (spent.cost[name] ?? 0) + cpu_s - (before[name] ?? 0)
  spent.took.push(...took)
  return median(took)
}

await runBench(async (bench) => {
  const db = await startDatabase(bench)
  const registries = await startRegistries(bench)
  const service = await startService(bench, {
    database_url: db.url,
    registries: registries.environment,
  })
  const [customer] = await makeCustomers(service.url, { count: 1, cents: 0 })
  if (!customer) throw new Error('No customer was made')
  const login = await loginOf(db, customer)
  const ours = serverAt(service.url, login, 'account:read domains:read domains:purchase')
  const peer = await startPeer(bench, 'bare-oauth.ts', {})
  const theirs: AuthorizationServer = {
    issuer: peer.announced,
    register: `${peer.announced}/reg`,
    authorize: `${peer.announced}/auth`,
    token: `${peer.announced}/token`,
    scope: 'openid offline_access',
    login,
  }
  const known = openBrowser(service.url)
  const pids = { service: service.pid, postgres: db.pid }
  const sides: Side[] = [
    { name: 'password', server: ours, browser: () => openBrowser(service.url), pids },
    { name: 'remembered', server: ours, browser: () => known, pids },
    {
      name: 'peer',
      server: theirs,
      browser: () => openBrowser(peer.announced),
      pids: { peer: peer.pid },
    },
  ]
  sayMachine('A connect: register, authorize, log in, allow, token; one after the other', db.words)
  const spent = sides.map((): Spent => ({ took: [], cost: {}, seconds: 0 }))
  for (const side of sides) await round(side, { took: [], cost: {}, seconds: 0 }, 1)
  for (let number = 1; number <= bench.rounds; number += 1) {
    const medians: string[] = []
    for (const [i, side] of sides.entries()) {
      await sleep(pause_ms)
      const kept = spent[i] ?? { took: [], cost: {}, seconds: 0 }
      medians.push(`${side.name} ${shown(await round(side, kept, bench.seconds))} ms`)
    }
    say(`  round ${number}: ${medians.join(', ')}`)
  }
  say()
  const last = median(spent.at(-1)?.took ?? [])
  for (const [i, { name }] of sides.entries()) {
    const { took, cost, seconds } = spent[i] ?? { took: [], cost: {}, seconds: 0 }
    const ratio = name === 'peer' ? '' : `, the peer takes ${shown(last / median(took))} of it`
    say(`  ${name}: median ${shown(median(took))} ms, p95 ${shown(p95(took))} ms${ratio}`)
    sayCosts(`${name}; each: a connect`, cost, { seconds, units: took.length })
  }
})
