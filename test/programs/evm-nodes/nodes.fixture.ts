// A service whose two endpoints are nodes that answer unlike each other, on a real chain (anvil).
import { systemCall } from '../../../src/capabilities/audit/index.ts'
import { compareBalances } from '../../../src/capabilities/top-ups/gateway/watching/compare-balances.job.ts'
import { watchCheckouts } from '../../../src/capabilities/top-ups/gateway/watching/watch-checkouts.job.ts'
import { newServiceDatabase } from '../../shards/service-database.ts'
import { skipAnvil } from '../../support/chain/anvil.ts'
import {
  type Fault,
  type RpcProxy,
  startRpcProxy,
  type Unlike,
} from '../../support/chain/rpc-proxy.ts'
import { startX402Place } from '../../support/chain/x402-service.ts'
import { startService } from '../../support/service.ts'
import { scopes } from '../evm-checkouts.fixture.ts'

async function startPlace() {
  const nodes: RpcProxy[] = []
  const endpoints = async (url: string) => {
    nodes.push(await startRpcProxy(url), await startRpcProxy(url))
    return nodes.map((node) => node.url)
  }
  const place = await startX402Place({ native: true, endpoints })
  const database_url = await newServiceDatabase()
  const settings = { ...place.settings, CHECKOUT_WATCH_SECONDS: '1' }
  const service = await startService({ settings, database_url, worker: false })
  return { place, payout: place.token, service, nodes }
}

const shared = skipAnvil ? undefined : await startPlace()

/** Both endpoints answer as the chain does. */
export async function startNodes() {
  if (!shared) throw new Error(String(skipAnvil))
  for (const node of shared.nodes) node.fault = { kind: 'none' }
  const owner = await shared.service.customer({ funds_cents: 0, scopes })
  const set = (fault: Fault, ...at: (0 | 1)[]) => {
    for (const one of at.length > 0 ? at : [0, 1]) {
      const node = shared.nodes[one]
      if (node) node.fault = fault
    }
  }
  const { app } = shared.service.service
  /** The service's own round, which keeps its cursor. */
  const watch = () => watchCheckouts.run(app, systemCall(app, 'watch_checkouts'))
  const compare = () => compareBalances.run(app, systemCall(app, 'compare_balances'))
  const alarms = (name: string) =>
    shared.service.logs.filter((line) => line.includes(`"alarm":"${name}"`))
  return {
    ...shared,
    owner,
    set,
    alarms,
    watch,
    compare,
    both: (answer: Unlike) => set({ kind: 'unlike', answer }),
  }
}
